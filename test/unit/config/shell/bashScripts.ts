// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts write ${…} themselves
import { spawnSync } from "node:child_process";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { seeded } from "./bashOracle.js";

/** A script, and the words that bash handed to the program in it. */
export interface RecordedScript {
  readonly script: string;
  readonly words: readonly string[];
}

/** Parts that words are put together from: every expansion of bash, quotes, and characters that mean something somewhere. */
const PARTS = [
  ...["~", "~/", "~+", "~-", "~root", "~root/x", "~nosuch/x", "~a", "~a.b", "~1", "~:", "\\~", "$'~'", '"~"', "'~'"],
  ...[
    "/",
    ":",
    "=",
    "a",
    "b=",
    "x y",
    '"a b"',
    "'c d'",
    "\\ ",
    "\\$A",
    "\\\n",
    "#",
    "a#",
    "%",
    "+",
    "@",
    "^",
    "!",
    "-",
    "$",
  ],
  ...["$A", "$B", "${A}", '"$A"', "${E}", "$E", '"$E"', "$$", "$#", "$1", "$@", '"$@"', "${1:-~/p}"],
  ...["${U:-~/d}", "${U:-~}", "${A:-~}", "${U:-a:~/x}", "${U-q r}", "${A:+~/s}", "${U:=~/e}", "${U:+n}", '"${U:-~/x}"'],
  ...['${U:-"a b"}', "${U:-'~'}", "${U:-{a,b}}", "${A:-}", "${E:-~/f}", "${A?}", "${A:?m}", "${U:-${A:-~/x}}"],
  ...[
    '"${ARR[@]}"',
    "${ARR[@]}",
    "${ARR[1]}",
    "${ARR[*]}",
    '"${ARR[*]}"',
    "${ARR}",
    "$ARR",
    "${#ARR[@]}",
    "${ARR[-1]}",
  ],
  ...["${ARR[9]:-~/n}", "${ARR[@]:1}", '"${ARR[@]/x/y}"', "${!R}", "${!P*}", "${A@Q}"],
  ...["${#A}", "${A%b*}", "${A%%b}", "${A#a}", "${A/a/b}", "${A^^}", "${A,}", "${A:1}", "${A:0:2}", "${A: -1}"],
  ...["$((1+2))", "$[1+2]", "$(echo z)", "`echo z`", "$'x\\ty'", '$"q"'],
  ...["{a,b}", "{~,x}", "{1..3}", "{a..c..2}", "{01..03}", "{a}", "{a,", "}", "{,}", "a{,b}c", "*", "?", "[ab]"],
  ...["k=", "k:", "k=~", "k=~/m", "A=~/q", "k.j=~/x", "--k=~/z"],
];
const VALUES = [
  ...["~/v", "a b", "ab", "~", "x:~/y", '"q r"', "'s'", "${U:-~/w}", "~/1:~/2", "", "a\\ b", "{1,2}", "~root", "b=~/x"],
  ...['"~/z"', "$'a\\nb'", "${A:-~/o}", "*", "x=~", "~/x:~'q'", '~/x:"~"'],
];
const ELEMENTS = ["~", "~+", "~root/x", "a", "x", '"a b"', "\\~", "b=~/x", "x:~/y", "~/v", "{a,b}", "${U:-~/d}"];
const STEPS = [
  ...[
    "HOME=/q",
    "export A=~/x",
    "B=$A",
    "A+=~/y",
    "A+=:~/y",
    "ARR+=(~/x y)",
    "A=$A:~/x",
    "B=${A:-~/x}:~",
    ": ${N:=~/x}",
  ],
  ...["C=${N:=a:~/x}", "for L in ~/x {1,2}; do C=$L; done", "declare B=a:~", "A=(~ k=~/x)", "unset B"],
];

/** Scripts that assign variables and call a program with three odd words, the same ones for the same seed. */
export function randomScripts(seed: number, count: number): readonly string[] {
  const random = seeded(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const many = (most: number, make: () => string): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, make);
  return Array.from({ length: count }, () => {
    const home = random() < 0.5 ? ["HOME=/h"] : [];
    const variables = [`A=${pick(VALUES)}`, `B=${pick(VALUES)}`, "E=", "R=A"];
    const words = many(3, () => many(4, () => pick(PARTS)).join(""));
    const array = `ARR=(${many(3, () => pick(ELEMENTS)).join(" ")})`;
    return [
      ...home,
      ...variables,
      array,
      ...many(2, () => pick(STEPS)),
      `/usr/bin/printf '%s\\0' ${words.join(" ")} end`,
    ].join("\n");
  });
}

const PRINTF = "/usr/bin/printf '%s\\0'";
const SCRIPTS_OF_WORDS = [
  "$A",
  '"$A"',
  "'$A'",
  "x y",
  '"x y"',
  "'[a,\"b\"]'",
  "k=$B",
  '"${ARR[@]}"',
  "\\$A",
  "a\\ b",
  "{a,b}",
  "~/x",
];
const NESTED_STEPS = [
  "A=9",
  "eval A=5",
  'eval "B=$A"',
  "eval 'B=$A'",
  "eval \"eval 'A=7'\"",
  "builtin eval 'ARR=(p \"q r\")'",
  "trap - EXIT",
  'f() { eval "$1=8"; }; f B',
];

/** The text as one word in quotes of one of three kinds. */
function quotedBy(kind: number, text: string): string {
  if (kind === 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\"`]/g, "\\$&");
  return kind === 1 ? `"${escaped}"` : `"${escaped.replaceAll("$", "\\$")}"`;
}

/** The call in a shell of its own: fed by a here-document or a here-string, or one whose output is taken (the words go around it). */
function inOwnShell(kind: number, call: string): string {
  const aside = `${call} >&9`;
  switch (kind) {
    case 0:
      return `bash <<E\n${call}\nE`;
    case 1:
      return `bash -s -- a <<'E'\n${call}\nE`;
    case 2:
      return `bash <<< ${quotedBy(1, call)}`;
    case 3:
      return `exec 9>&1\nX=$(${aside})`;
    case 4:
      return `exec 9>&1\nX="$( : \n${aside} )"`;
    case 5:
      return `exec 9>&1\nX=\`${aside.replace(/[\\`$]/g, "\\$&")}\``;
    default:
      return `exec 9>&1\n: "\`${aside.replace(/[\\`$"]/g, "\\$&")}\`"`;
  }
}

/** Scripts whose call stands in what `eval` reads, up to three deep, in a trap of the exit, or in a shell of its own. */
export function randomNestedScripts(seed: number, count: number): readonly string[] {
  const random = seeded(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = (from: readonly string[]): string => from[upTo(from.length)] ?? "";
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 1 + upTo(3) }, () => pick(SCRIPTS_OF_WORDS)).join(" ");
    let call = `${PRINTF} ${words} end`;
    for (let depth = 1 + upTo(2); depth > 0; depth--) call = `eval ${quotedBy(upTo(3), call)}`;
    if (random() < 0.3) call = `trap ${quotedBy(upTo(3), call)} ${pick(["EXIT", "0", "SIGEXIT", "exit"])}`;
    else if (random() < 0.6) call = inOwnShell(upTo(7), call);
    const steps = Array.from({ length: upTo(3) }, () => pick(NESTED_STEPS)).filter((step) => step !== "trap - EXIT");
    const before = ["A='x y'", "B=b", "ARR=(p 'q r')", ...steps];
    return [...before, call, pick(["A=3", "eval 'B=4'", ":"])].join("\n");
  });
}

const RETURN_LINES = [
  "A=1",
  "B='x y'",
  "ARR=(p",
  "q",
  ")",
  ": c",
  "# note",
  "a \\",
  "'in",
  "quotes'",
  '"k=$A" \\',
  "$B",
  "\\",
  "C=$A; D=$B",
  "ARR+=(r s)",
];

/** Scripts with the line ends of Windows, some of them only. */
export function randomReturnScripts(seed: number, count: number): readonly string[] {
  const random = seeded(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const end = (): string => (random() < 0.7 ? "\r\n" : "\n");
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(RETURN_LINES));
    const words = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      pick(["$A", "$B", '"${ARR[@]}"', "k=v", "\\", "x"]),
    );
    const parts = [...lines.map((line) => line + end()), `${PRINTF} ${words.join(" ")}`, end(), `${PRINTF} end`, "\n"];
    return parts.join("");
  });
}

/** Undefined when bash stops or complains. Globs match nothing. */
export function wordsFromBash(script: string): readonly string[] | undefined {
  const env = { PATH: process.env.PATH ?? "", HOME: "/home/me", OLDPWD: "/tmp" };
  const run = spawnSync("bash", ["--norc", "-c", `set -f\n${script}`], { cwd: "/", env });
  const words = run.stdout.toString("utf8").split("\0").slice(0, -1);
  return run.status === 0 && run.stderr.length === 0 && words.at(-1) === "end" ? words : undefined;
}

/** `equal`; `open` when ours leaves room for theirs; `different` when it is wrong. */
export function compareWords({ script, words }: RecordedScript): "equal" | "open" | "different" {
  const calls = readShell(script).commands.filter(({ words: [program] }) => program?.text === "/usr/bin/printf");
  const ours = calls.flatMap((call) => call.words.slice(2).map((word) => word.text));
  const theirs = words.map((word) => `${word}\0`).join("");
  if (ours.map((word) => `${word}\0`).join("") === theirs) return "equal";
  return new RegExp(`^${ours.map(patternOf).join("")}$`).test(theirs) ? "open" : "different";
}

/** What only a run can tell may be any text, several words, or none. */
function patternOf(word: string): string {
  const parts = word.split(UNKNOWN_MARK).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const isOpen = parts.every((part) => part === "");
  return `${parts.join("[\\s\\S]*")}\0${isOpen && parts.length > 1 ? "?" : ""}`;
}
