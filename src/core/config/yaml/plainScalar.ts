/** A resolved scalar; `float` is told apart from `int` because Python does. */
export type ScalarValue =
  | { readonly type: "null" }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "int" | "float"; readonly value: number }
  | { readonly type: "str"; readonly value: string };

/** Which loader reads the file: verl goes through OmegaConf, VeOmni through PyYAML's SafeLoader. */
export type YamlReader = "omegaconf" | "pyyaml";

const nullWords = /^(?:~|null|Null|NULL|)$/;
const trueWords = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const falseWords = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const decimal = /^[-+]?(?:0|[1-9][0-9_]*)$/;
const binary = /^([-+]?)0b([0-1_]+)$/;
const octal = /^([-+]?)0([0-7_]+)$/;
const hexadecimal = /^([-+]?)0x([0-9a-fA-F_]+)$/;
const sexagesimalInt = /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/;
const sexagesimalFloat = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/;
const infinity = /^([-+]?)\.(?:inf|Inf|INF)$/;
const notANumber = /^\.(?:nan|NaN|NAN)$/;
const pyyamlFloat = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?$/;
const omegaconfFloat =
  /^(?:[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+(?:_[0-9]+)*[eE][-+]?[0-9]+|\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?)$/;

const maxNumberLength = 400;

/**
 * Resolves an unquoted scalar as the Python loaders do (YAML 1.1): `yes` and `off` are booleans, `y` and `n` are strings,
 * `010` is 8, `1:30` is 90. `1e-5` is a number for OmegaConf and a string for PyYAML. Dates stay strings.
 * The patterns are those of PyYAML's resolver, and of OmegaConf's `get_yaml_loader` (2.3), which come on top.
 */
export function resolvePlainScalar(source: string, reader: YamlReader): ScalarValue {
  if (!beginsNumber(source)) return resolveWord(source);
  if (source.length > maxNumberLength) return { type: "str", value: source };
  return resolveInt(source) ?? resolveFloat(source, reader) ?? { type: "str", value: source };
}

/** True for a text that the resolver takes for an integer while it holds no digits (`0b_`): nothing can be made of it. */
export function isEmptyNumber(source: string): boolean {
  return /^[-+]?0[bx]_+$/.test(source);
}

/** Every number begins with a digit, a sign or a point, and no word does: most texts are told by their first letter. */
function beginsNumber(source: string): boolean {
  const first = source.charCodeAt(0);
  return (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46;
}

/** The longest word that means something else than itself has five letters. */
function resolveWord(source: string): ScalarValue {
  if (source.length > 5) return { type: "str", value: source };
  if (nullWords.test(source)) return { type: "null" };
  if (trueWords.test(source)) return { type: "bool", value: true };
  if (falseWords.test(source)) return { type: "bool", value: false };
  return { type: "str", value: source };
}

function resolveInt(source: string): ScalarValue | undefined {
  if (decimal.test(source)) return { type: "int", value: Number(withoutUnderscores(source)) };
  const radices = [
    [binary, 2],
    [octal, 8],
    [hexadecimal, 16],
  ] as const;
  for (const [pattern, radix] of radices) {
    const match = pattern.exec(source);
    if (match === null) continue;
    const digits = withoutUnderscores(match[2] ?? "");
    if (digits !== "") return { type: "int", value: signed(match[1], Number.parseInt(digits, radix)) };
  }
  if (sexagesimalInt.test(source)) return { type: "int", value: fromSexagesimal(source) };
  return undefined;
}

function resolveFloat(source: string, reader: YamlReader): ScalarValue | undefined {
  const infinite = infinity.exec(source);
  if (infinite !== null) return { type: "float", value: signed(infinite[1], Number.POSITIVE_INFINITY) };
  if (notANumber.test(source)) return { type: "float", value: Number.NaN };
  if (sexagesimalFloat.test(source)) return { type: "float", value: fromSexagesimal(source) };
  if (!pyyamlFloat.test(source) && !(reader === "omegaconf" && omegaconfFloat.test(source))) return undefined;
  const value = Number(withoutUnderscores(source));
  return Number.isNaN(value) ? undefined : { type: "float", value };
}

function fromSexagesimal(source: string): number {
  const negative = source.startsWith("-");
  const parts = withoutUnderscores(source.replace(/^[-+]/, "")).split(":");
  const magnitude = parts.reduce((total, part) => total * 60 + Number(part), 0);
  return negative ? -magnitude : magnitude;
}

function withoutUnderscores(source: string): string {
  return source.replaceAll("_", "");
}

function signed(sign: string | undefined, magnitude: number): number {
  return sign === "-" ? -magnitude : magnitude;
}
