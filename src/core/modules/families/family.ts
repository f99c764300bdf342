/** A rename that the library applies to checkpoint names when it loads them; applied in order, each at most once a name. */
export interface Rename {
  readonly from: RegExp;
  readonly to: string;
}

/** What is known of one `model_type` of transformers. */
export interface Family {
  /** Prefix of the class names (`Qwen3` in `Qwen3DecoderLayer`); stands for `@` in blueprints and class lists. */
  readonly prefix: string;
  /** Attribute of the head class that holds the body: `model`, `transformer`, … */
  readonly base: string;
  /** Class of the body. */
  readonly baseClass: string;
  /** Blueprint lines of the body. */
  readonly body: string;
  /** Suffix of the class with a language-model head that is meant when config.json names none. */
  readonly headClass: string;
  readonly noSplit: readonly string[];
  /** How the list differs in another class that may train the model. */
  readonly noSplitNote?: string;
  readonly renames: readonly Rename[];
  /** Tensors that the class does not load (multi-token prediction, vision parts of a text class). */
  readonly ignored?: RegExp;
  /** The body's lines hold the head already. */
  readonly ownHead?: boolean;
}

/** A family with the usual names; `more` overrides. */
export function family(prefix: string, body: string, more: Partial<Family> = {}): Family {
  return {
    prefix,
    base: "model",
    baseClass: "@Model",
    body,
    headClass: "@ForCausalLM",
    noSplit: ["@DecoderLayer"],
    renames: [],
    ...more,
  };
}
