type Json = Readonly<Record<string, unknown>>;

/** More elements than any list of modules has; a larger figure is not believed. */
const maxCount = 10_000;

/**
 * Values of a config.json for the family tables. Keys are looked up in the configuration of the text model first (`text_config`,
 * also inside `thinker_config`), then at the top; a value of the wrong type counts as absent.
 */
export class ConfigValues {
  readonly #top: Json;
  readonly #text: Json;

  constructor(json: unknown) {
    this.#top = asObject(json);
    const thinker = asObject(this.#top.thinker_config);
    this.#text = { ...this.#top, ...asObject(thinker.text_config), ...asObject(this.#top.text_config) };
  }

  /** `model_type` of the text model and of the whole, as far as they are written. */
  modelTypes(): readonly string[] {
    const types = [this.#text.model_type, this.#top.model_type];
    return types.filter((type) => typeof type === "string");
  }

  /** A whole number from 0 to 10,000. */
  count(key: string, fallback: number): number {
    return countOf(this.#text[key]) ?? fallback;
  }

  /** A whole number from 1 to 2^24: a width of a layer. */
  size(key: string): number | undefined {
    const value = this.#text[key];
    return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 2 ** 24 ? value : undefined;
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.#text[key];
    return typeof value === "boolean" ? value : fallback;
  }

  /** A flag of `vision_config`. */
  visionFlag(key: string, fallback: boolean): boolean {
    const value = asObject(this.#top.vision_config)[key];
    return typeof value === "boolean" ? value : fallback;
  }

  text(key: string): string | undefined {
    const value = this.#text[key];
    return typeof value === "string" ? value : undefined;
  }

  list(key: string): readonly unknown[] | undefined {
    const value = this.#text[key];
    return Array.isArray(value) ? value : undefined;
  }

  /** True where the key stands with a value other than `null`. */
  has(key: string): boolean {
    return this.#text[key] !== undefined && this.#text[key] !== null;
  }

  /** An object at the top or in the text configuration; empty if there is none. */
  section(key: string): ConfigValues {
    return new ConfigValues(this.#text[key]);
  }

  /** The number, or the length of the list, at a dotted path from the top or from `thinker_config`. */
  countAt(path: string): number | undefined {
    return countBelow(this.#top, path) ?? countBelow(this.#top.thinker_config, path);
  }
}

function countBelow(from: unknown, path: string): number | undefined {
  let value = from;
  for (const key of path.split(".")) value = asObject(value)[key];
  return Array.isArray(value) ? countOf(value.length) : countOf(value);
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxCount ? value : undefined;
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
