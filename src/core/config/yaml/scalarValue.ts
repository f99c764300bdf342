import type { YamlScalar } from "./composeYaml.js";
import { isEmptyNumber, resolvePlainScalar, type ScalarValue, type YamlReader } from "./plainScalar.js";

const core = "tag:yaml.org,2002:";

/** The tag that a scalar has in the end: the one written, else the one that its text resolves to. */
export function tagOf(scalar: YamlScalar, reader: YamlReader): string {
  const { tag, text, style } = scalar;
  if (tag !== undefined && tag !== "!") return tag;
  if (tag === undefined && style !== "plain") return `${core}str`;
  if (text === "<<") return `${core}merge`;
  if (text === "=") return `${core}value`;
  if (reader === "pyyaml" && isTimestamp(text)) return `${core}timestamp`;
  if (isEmptyNumber(text)) return `${core}int`;
  return `${core}${resolvePlainScalar(text, reader).type}`;
}

/**
 * The value of a scalar under its tag. `undefined` when the tag's constructor stops at the text (`!!int abc`). Types that no
 * configuration knows (`!!binary`, dates) stay text.
 */
export function valueUnder(tag: string, text: string): ScalarValue | undefined {
  switch (tag) {
    case `${core}null`:
      return { type: "null" };
    case `${core}bool`:
      return boolOf(text.toLowerCase());
    case `${core}int`:
      return intOf(text);
    case `${core}float`:
      return floatOf(text);
    case `${core}timestamp`:
      return isValidTimestamp(text) ? { type: "str", value: text } : undefined;
    case `${core}binary`:
      return isBase64(text) ? { type: "str", value: text } : undefined;
    default:
      return { type: "str", value: text };
  }
}

function boolOf(text: string): ScalarValue | undefined {
  if (text === "yes" || text === "true" || text === "on") return { type: "bool", value: true };
  return text === "no" || text === "false" || text === "off" ? { type: "bool", value: false } : undefined;
}

/** Python's `int` takes this many digits at most. */
const maxDecimalDigits = 4300;

function intOf(written: string): ScalarValue | undefined {
  const text = written.replaceAll("_", "");
  const negative = text.startsWith("-");
  const digits = text.replace(/^[-+]/, "");
  const magnitude = magnitudeOf(digits);
  return magnitude === undefined ? undefined : { type: "int", value: negative ? -magnitude : magnitude };
}

function magnitudeOf(digits: string): number | undefined {
  if (digits === "0") return 0;
  if (digits.startsWith("0b")) return inRadix(digits.slice(2), /^[01]+$/, 2);
  if (digits.startsWith("0x")) return inRadix(digits.slice(2), /^[0-9a-fA-F]+$/, 16);
  if (digits.startsWith("0")) return inRadix(digits, /^(?:0o)?[0-7]+$/, 8);
  const parts = digits.split(":");
  if (!parts.every((part) => /^\s*[-+]?[0-9]+\s*$/.test(part) && part.length <= maxDecimalDigits)) return undefined;
  return parts.reduce((total, part) => total * 60 + Number(part), 0);
}

function inRadix(digits: string, pattern: RegExp, radix: number): number | undefined {
  return pattern.test(digits) ? Number.parseInt(digits.replace("0o", ""), radix) : undefined;
}

function floatOf(written: string): ScalarValue | undefined {
  const text = written.replaceAll("_", "").toLowerCase();
  const negative = text.startsWith("-");
  const digits = text.replace(/^[-+]/, "");
  const value = digits === "" ? undefined : unsignedFloat(digits);
  return value === undefined ? undefined : { type: "float", value: negative ? -value : value };
}

const pythonFloat = /^\s*[-+]?(?:[0-9]+\.?[0-9]*(?:e[-+]?[0-9]+)?|\.[0-9]+(?:e[-+]?[0-9]+)?)\s*$/;

function unsignedFloat(digits: string): number | undefined {
  if (digits === ".inf" || /^\s*[-+]?inf(?:inity)?\s*$/.test(digits)) return Number.POSITIVE_INFINITY;
  if (digits === ".nan" || /^\s*[-+]?nan\s*$/.test(digits)) return Number.NaN;
  const parts = digits.split(":");
  if (!parts.every((part) => pythonFloat.test(part))) return undefined;
  return parts.reduce((total, part) => total * 60 + Number(part), 0);
}

const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const moment =
  /^([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)(?:(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+]([0-9][0-9]?)(?::([0-9]{2}))?))?)?$/;

/** The texts that PyYAML's resolver takes for a date or a time. */
function isTimestamp(text: string): boolean {
  return date.test(text) || (moment.test(text) && text.includes(":"));
}

function isValidTimestamp(text: string): boolean {
  const found = moment.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHours = 0, zoneMinutes = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth) return false;
  return hour < 24 && minute < 60 && second < 60 && zoneHours * 60 + zoneMinutes < 24 * 60;
}

/** As Python decodes it: letters outside the alphabet are skipped, the padding must be there. */
function isBase64(text: string): boolean {
  for (const letter of text) if (letter > "\x7f") return false;
  const data = text.replace(/[^A-Za-z0-9+/=]/g, "");
  const length = data.indexOf("=") < 0 ? data.length : data.indexOf("=");
  const over = length % 4;
  if (over === 0) return true;
  return over !== 1 && data.slice(length).length >= 4 - over;
}
