// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOverride } from "../../../../src/core/config/hydra/parse.js";
import { type HydraValue, UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/** The plain data of a value; `!float` and similar keep apart what JavaScript does not. */
function plain(value: HydraValue): Plain {
  switch (value.kind) {
    case "null":
      return null;
    case "bool":
    case "int":
      return value.value;
    case "float":
      return { float: Number.isFinite(value.value) ? value.value : String(value.value) };
    case "string":
      return value.text;
    case "list":
      return value.items.map(plain);
    case "dict":
      return Object.fromEntries(value.entries.map((entry) => [entry.key, plain(entry.value)]));
    case "sweep":
      return { sweep: value.items.map(plain) };
    case "function":
      return { [`${value.role} ${value.name}`]: value.args.map((arg) => plain(arg.value)) };
    case "unknown":
      return { unknown: true };
  }
}

function read(text: string): Plain | undefined {
  const parsed = parseOverride(text);
  if (!parsed.ok) return `error ${parsed.error.code} at ${parsed.error.span.start}`;
  return parsed.override.value && plain(parsed.override.value);
}

/** What Hydra receives, and what becomes of it: the table of Hydra 1.3.2, run. */
const TABLE: readonly (readonly [string, Plain])[] = [
  ["k=model.layers.*", "model.layers.*"],
  ["k=model.layers.{*}", "error BRACE_UNQUOTED at 15"],
  ["k=[model.layers.*]", ["model.layers.*"]],
  ["k=[model.layers.{*}]", "error BRACE_UNQUOTED at 16"],
  ['k=["model.layers.{*}"]', ["model.layers.{*}"]],
  ["k=['model.layers.{*}']", ["model.layers.{*}"]],
  ["k=[model.layers.\\{*\\}]", ["model.layers.{*}"]],
  ['k="[model.layers.{*}]"', "[model.layers.{*}]"],
  [`k='["model.layers.{*}"]'`, '["model.layers.{*}"]'],
  ["k=[model.layers.[0-3]]", "error BRACKET_UNQUOTED at 16"],
  ["k=[model.layers.\\[0-3\\]]", ["model.layers.[0-3]"]],
  ['k=["model.layers.[0-3]"]', ["model.layers.[0-3]"]],
  ["k=[model.layers.?]", ["model.layers.?"]],
  ["k=[*]", ["*"]],
  ["k=[{*}]", "error BRACE_UNQUOTED at 3"],
  ["k={*}", "error BRACE_UNQUOTED at 2"],
  ["k=[]", []],
  ["k=", ""],
  ["k=null", null],
  ["k=a,b", { sweep: ["a", "b"] }],
  ["k.0=x", "x"],
  ["+k=[x]", ["x"]],
  ["k=true", true],
  ["k=True", true],
  ["k=TRUE", true],
  ["k=yes", "yes"],
  ["k=no", "no"],
  ["k=on", "on"],
  ["k=off", "off"],
  ["k=1", 1],
  ["k=4", 4],
  ["k=4.0", { float: 4 }],
  ["k=1e1", { float: 10 }],
  ["k=inf", { float: "Infinity" }],
  ["k=nan", { float: "NaN" }],
  ["k=4GB", "4GB"],
  ["k=None", "None"],
  ["k=${a.b}", "${a.b}"],
];

describe("the table of what Hydra receives", () => {
  it.each(TABLE)("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe("keys", () => {
  it.each([
    ["k=1", "set", "k", undefined],
    ["+a.b-c=1", "add", "a.b-c", undefined],
    ["++a.b=1", "addOrSet", "a.b", undefined],
    ["~a.b", "delete", "a.b", undefined],
    ["~a.b=1", "delete", "a.b", undefined],
    ["model/engine@actor.veomni=dp", "set", "model/engine", "actor.veomni"],
    ["db@=mysql", "set", "db", ""],
  ])("%s", (text, operator, path, pkg) => {
    const parsed = parseOverride(text);
    expect(parsed.ok && parsed.override.key).toMatchObject({ operator, path });
    expect(parsed.ok && parsed.override.key.package).toBe(pkg);
  });

  it.each(["a b=1", "db@from:to=1", "-x=1", "a..b=1", "a.01=1", "é=1", "+++k=1"])("refuses %s", (text) => {
    const parsed = parseOverride(text);
    expect(parsed.ok || parsed.error.code).toBe("KEY_MALFORMED");
  });

  it("asks for the equals sign", () => {
    const parsed = parseOverride("trainer.nnodes");
    expect(parsed.ok || parsed.error).toMatchObject({ code: "EQUALS_MISSING", span: { start: 14, end: 14 } });
    expect(parsed.ok || parsed.key?.path).toBe("trainer.nnodes");
  });

  it("keeps the key when the value is broken", () => {
    const parsed = parseOverride("++a.b=[x");
    expect(parsed.ok || parsed.key).toMatchObject({ operator: "addOrSet", path: "a.b", span: { start: 2, end: 5 } });
    expect(parsed.ok || parsed.valueSpan).toEqual({ start: 6, end: 8 });
  });
});

describe("values", () => {
  it.each<[string, Plain]>([
    ["k=a b", "a b"],
    ["k=  a", "a"],
    ["k=01", "01"],
    ["k=1_000", 1000],
    ["k=-3", -3],
    ["k=1.", { float: 1 }],
    ["k=-.5", { float: -0.5 }],
    ["k=1e-5", { float: 1e-5 }],
    ["k=-inf", { float: "-Infinity" }],
    ["k=http://h:80/a", "http://h:80/a"],
    ["k=a\\,b", "a,b"],
    ["k=\\{a\\}\\\\", "{a}\\"],
    ["k='it\\'s'", "it's"],
    ["k='a\\\\'", "a\\"],
    ["k='a\\\\b'", "a\\\\b"],
    ['k="a\\\\\\"b"', 'a\\"b'],
    ["k={a: 1, b: [x, {c: null}]}", { a: 1, b: ["x", { c: null }] }],
    ["k={}", {}],
    ["k=choice(1,2)", { "sweep choice": [1, 2] }],
    ["k=range(1, stop=4)", { "sweep range": [1, 4] }],
    ["k=int(3.0)", { "cast int": [{ float: 3 }] }],
    ["k=[a,b],[c]", { sweep: [["a", "b"], ["c"]] }],
    ["k=x${a}y", "x${a}y"],
    [`k=[${UNKNOWN_MARK},b]`, [{ unknown: true }, "b"]],
    [`k=a${UNKNOWN_MARK}b`, { unknown: true }],
    [`k="${UNKNOWN_MARK}"`, { unknown: true }],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ["k=a=b", "EQUALS_IN_VALUE", 3],
    ["k=a&b", "CHARACTER_NOT_ALLOWED", 3],
    ["k=[a\n]", "CHARACTER_NOT_ALLOWED", 4],
    ["k=[a", "LIST_UNCLOSED", 2],
    ["k={a:1", "DICT_UNCLOSED", 2],
    ["k=choice(1", "CALL_UNCLOSED", 2],
    ["k=[a,]", "BRACKET_UNQUOTED", 5],
    ["k=a,", "ELEMENT_MISSING", 4],
    ["k=,a", "ELEMENT_MISSING", 2],
    ['k="a"b', "TEXT_BESIDE_QUOTES", 5],
    ['k="a', "QUOTE_UNCLOSED", 2],
    ["k=(a)", "PARENTHESIS_UNQUOTED", 2],
    ["k=foo(a)", "FUNCTION_UNKNOWN", 2],
    ["k=range(start=1,2)", "POSITIONAL_AFTER_NAMED", 16],
    ['k={"a":1}', "COLON_MISSING", 3],
    ["k=${a.${b}}", "BRACE_UNQUOTED", 10],
    [`k=${"[".repeat(100)}`, "NESTING_TOO_DEEP", 66],
  ])("refuses %s with %s", (text, code, at) => {
    expect(read(text)).toBe(`error ${code} at ${at}`);
  });

  it("says where each part stands", () => {
    const parsed = parseOverride('a.b=[x, "y z"]');
    expect(parsed.ok && parsed.override.value).toMatchObject({
      span: { start: 4, end: 14 },
      items: [{ span: { start: 5, end: 6 } }, { quote: "double", span: { start: 8, end: 13 } }],
    });
  });

  it("never throws and keeps spans inside the text", () => {
    const atom = fc.constantFrom(
      "a",
      "=",
      "[",
      "]",
      "{",
      "}",
      "(",
      ")",
      ",",
      "'",
      '"',
      "\\",
      "${",
      ":",
      " ",
      "\n",
      "é",
    );
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 30 }), (atoms) => {
        const text = atoms.join("");
        const parsed = parseOverride(text);
        const span = parsed.ok ? parsed.override.valueSpan : parsed.error.span;
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }),
      { seed: 20260601, numRuns: 3000 },
    );
  });
});
