// @slow: large inputs or many cases.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell, type ShellWord } from "../../../../src/core/config/shell/readShell.js";
import { hasBash, seeded, wordsFromBash } from "./bashOracle.js";

const U = UNKNOWN_MARK;

function commands(script: string): string[][] {
  return readShell(script).commands.map((command) => command.words.map((word) => word.text));
}

function lastWords(script: string): readonly ShellWord[] {
  return readShell(script).commands.at(-1)?.words ?? [];
}

describe("words", () => {
  it.each<[string, string[]]>([
    [`k=["a"]`, ["k=[a]"]],
    [`k='["a"]'`, ['k=["a"]']],
    [`"k=[\\"a\\"]"`, ['k=["a"]']],
    [`a\\ b 'c d' "e f"`, ["a b", "c d", "e f"]],
    [`$'x\\ty\\x41\\u00e9'`, ["x\tyAé"]],
    ["a\\\nb \\\n c", ["ab", "c"]],
    ["a # b", ["a"]],
    ["a#b", ["a#b"]],
    ["m.{0,1} {a..c}x", ["m.0", "m.1", "ax", "bx", "cx"]],
    ["{a} {a,b", ["{a}", "{a,b"]],
    ["$UNSET x$(cmd)y `cmd` $((1+2))", [U, `x${U}y`, U, U]],
    ["${V:-8} ${V-} ${V:+x}z", ["8", "z"]],
    ["${x.y} ${.z}", [U, U]],
    ["a 2>&1 >out b <in", ["a", "b"]],
    ["*.py [ab]? ~/x", ["*.py", "[ab]?", `${U}/x`]],
    [`"$@" "\${@}"`, [U, U]],
    [`'' ""`, ["", ""]],
  ])("%s", (text, words) => {
    expect(lastWords(`p ${text}`).map((word) => word.text)).toEqual(["p", ...words]);
  });

  it("splits what an unquoted variable holds and leaves its quotes alone", () => {
    expect(commands(`V="a=1 k='[\\"x\\"]' j=[\\"y\\"]"\np $V`)).toEqual([["p", "a=1", `k='["x"]'`, 'j=["y"]']]);
  });

  it("lengthens the first element of an array by a text", () => {
    expect(commands('A=(x y)\nA+=z\np "${A[@]}"').at(-1)).toEqual(["p", "xz", "y"]);
  });

  it("hands the elements of an array on", () => {
    const script = `A=(k='["a b"]' x\n y # no\n)\nA+=(z)\np "\${A[@]}" \${A[1]} "\${A[*]}" $A "\${B[@]}"`;
    const list = [`k=["a b"]`, "x", "y", "z"];
    expect(commands(script).at(-1)).toEqual(["p", ...list, "x", list.join(" "), `k=["a`, `b"]`, U]);
  });

  it("drops an empty list and keeps an empty string", () => {
    expect(commands(`A=()\nE=\np "\${A[@]}" \${A[@]} "$E" $E "\${A[*]}"`).at(-1)).toEqual(["p", "", ""]);
  });
});

describe("scripts", () => {
  it("joins and reassigns variables", () => {
    expect(commands('V=a\nV+="b c"\nexport W=$V:$V\np "$W"').at(-1)).toEqual(["p", "ab c:ab c"]);
  });

  it("keeps what every branch may assign", () => {
    const words = lastWords("X=0\nif a; then X=1\nelif b; then X='2 3'\nfi\np k=$X");
    expect(words.map((word) => [word.text, word.alternative])).toEqual([
      ["p", undefined],
      ["k=0", 0],
      ["k=1", 1],
      ["k=2", 2],
      ["3", 2],
    ]);
  });

  it("drops the value from before when some branch always runs", () => {
    expect(commands("X=0\nif a; then X=1; else X=2; fi\np $X").at(-1)).toEqual(["p", "1", "2"]);
    expect(commands("X=0\ncase $m in a) X=1 ;; *) X=2 ;; esac\np $X").at(-1)).toEqual(["p", "1", "2"]);
  });

  it("runs functions where they are called", () => {
    expect(commands('run() { go "$@" z=$1; }\nrun a=1 "b c"').at(-1)).toEqual(["go", "a=1", "b c", "z=a=1"]);
    expect(commands("function f { go x; }\n")).toEqual([["go", "x"]]);
  });

  it("keeps assignments of a subshell and of a pipeline inside", () => {
    expect(commands("X=1\n( X=2; p $X )\nX=3 | cat\np $X")).toEqual([["p", "2"], ["cat"], ["p", "1"]]);
  });

  it("steps over here-documents, also inside a substitution", () => {
    expect(commands("cat <<'EOF' | p a\nit's \"x\nEOF\np b")).toEqual([["cat"], ["p", "a"], ["p", "b"]]);
    expect(commands("d=$(py - <<-E\n\tdon't )\n\tE\n)\np $d")).toEqual([
      ["py", "-"],
      ["p", U],
    ]);
  });

  it("takes loops once, with every value of the variable", () => {
    expect(commands("for x in a b; do p k=$x; done; while q; do r; done")).toEqual([["p", "k=a", "k=b"], ["q"], ["r"]]);
  });

  it("ends a command at a comment behind a continued line, as bash does", () => {
    expect(commands("p a \\\n  # why\n  b=1 c.d=2")).toEqual([["p", "a"], ["c.d=2"]]);
  });

  it("assigns defaults with := and says that they are assumed", () => {
    const [, word] = lastWords("N=${N:=7}\np k=$N");
    expect(word).toMatchObject({ text: "k=7", assumesDefault: true });
  });
});

describe("places", () => {
  it("knows where each character is written", () => {
    const script = `A=(k='x')\nV="j=\\"y\\""\np "\${A[@]}" $V`;
    const [, first, second] = lastWords(script);
    expect(first?.text).toBe("k=x");
    expect(first?.starts.map((at) => script[at])).toEqual(["k", "=", "x"]);
    expect(first?.span).toEqual({ start: 3, end: 8 });
    expect(second?.text).toBe('j="y"');
    expect(script.slice(second?.starts[2], second?.ends[2])).toBe('\\"');
    expect(script.slice(second?.span.start, second?.span.end)).toBe('j=\\"y\\""');
  });

  it("remembers removed quotes, braces and splitting", () => {
    const [, quoted, brace] = lastWords('p k=["a"] m.{0,1}');
    expect(quoted?.removedQuotes.map((quote) => [quote.character, quote.index])).toEqual([
      ['"', 3],
      ['"', 4],
    ]);
    expect(brace?.braces).toEqual({ start: 12, end: 17 });
    const split = lastWords("L='a b'\np k=$L");
    expect(split.slice(1).map((word) => word.splitFrom?.name)).toEqual(["L", "L"]);
  });

  it("reads a part of a text with places in the whole", () => {
    expect(readShell("xx p a yy", 3, 6).commands).toMatchObject([{ span: { start: 3, end: 6 } }]);
  });
});

const ATOMS = [
  "a",
  "b=",
  "x[",
  "]",
  ",",
  "{a,b}",
  "{0..3}",
  "{01..03}",
  "{",
  "}",
  "{x,'y z'}",
  "{a,{b,c}d}",
  "'s q'",
  `'"'`,
  '"d q"',
  '"$V"',
  '"${V}"',
  "$V",
  "${V}",
  "$W",
  "${W:-d e}",
  '"${W:-d e}"',
  "${U:-x}",
  "${U-'p q'}",
  '"${A[@]}"',
  "${A[@]}",
  "$A",
  '"pre${A[@]}post"',
  "\\ ",
  '\\"',
  "\\'",
  "\\\\",
  "\\\n",
  "$'t\\tn'",
  "$'\\x41\\101'",
  '"\\"in\\""',
  '"\\a\\$x"',
  "~x",
  "%",
  ":",
  "#",
  "-",
  "${A[1]}",
  "${V:+set}",
  "${U+set}",
  '"${A[*]}"',
  `"it's"`,
  "''",
  '""',
  '"${A[@]+"${A[@]}"}"',
  "{$V,q}",
  '"{a,b}"',
];

function randomScript(random: () => number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const word = (): string => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(ATOMS)).join("");
  const words = (least: number, blank: string): string =>
    Array.from({ length: least + Math.floor(random() * 3) }, word).join(blank);
  const lines = ["V='v1 v2'", "W='w\"q\" x'", 'A=(e1 \'e 2\' "k=[\\"z\\"]")'];
  for (let i = 0; i < 4; i++) {
    const kind = random();
    if (kind < 0.2) lines.push(`${pick(["V", "W"])}${pick(["=", "+="])}${word()}`);
    else if (kind < 0.35) lines.push(`A${pick(["=", "+="])}(${words(0, pick([" ", "\n", "  # c'omment\n"]))})`);
    else if (kind < 0.4) lines.push(`p() { /usr/bin/printf '%s\\0' "$@" ${word()} ; }; p ${word()}`);
    else
      lines.push(`/usr/bin/printf '%s\\0' ${words(1, pick([" ", " \\\n  ", "\t"]))}${pick(["", " # it's", "; true"])}`);
  }
  return lines.join("\n");
}

describe.skipIf(!hasBash)("beside bash", () => {
  it("gives a program the same words in 300 scripts with a fixed seed", { timeout: 60_000 }, () => {
    const random = seeded(4242);
    let compared = 0;
    for (let i = 0; i < 300; i++) {
      const script = randomScript(random);
      const theirs = wordsFromBash(script);
      const ours = readShell(script)
        .commands.filter((command) => command.words[0]?.text === "/usr/bin/printf")
        .flatMap(({ words }) => (words.length === 2 ? [""] : words.slice(2).map((word) => word.text)));
      if (theirs === undefined || ours.some((text) => text.includes(U))) continue;
      compared++;
      expect(ours, script).toEqual(theirs);
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe("variables as bash has them", () => {
  it.each<[string, string[]]>([
    ["f() { local V=6 W; W=7; }\nV=5 W=4\nf\ngo $V $W", ["5", "4"]],
    ["f() { declare V=6; if true; then local X=1; fi; V=8; }\nV=5 X=2\nf\ngo $V $X", ["5", "2"]],
    ["f() { local V; }\nf\ngo x${V:-9}", ["x9"]],
    ["f() { declare -g V=6; }\nV=5\nf\ngo $V", ["6"]],
    ["f() { V=6; }\nV=5\nf\ngo $V", ["6"]],
    ["f() { local V=$1; g; }\ng() { go $V; }\nV=5\nf 6", ["6"]],
    ["I=3\n((I++))\ngo $I", [U]],
    ["I=3 J=4\nlet J=I+1\ngo $I $J", ["3", U]],
    ["I=3\nfor ((I=0; I<1; I++)); do go $I; done", [U]],
    ["I=3\nif ((I > 2)); then :; fi\ngo $I", ["3"]],
    ['A=(x y z)\nA[1]=b\nA[7]=q\ngo "${A[@]}"', ["x", "b", "z", "q"]],
    ["A=(x y)\nA[1]+=b\nunset 'A[1]'\ngo ${A[0]}", [U]],
    ['declare -a A=([2]=z [0]=x)\ngo "${A[@]}"', [U]],
    ['A=(1 2)\nIFS=,\ngo "[${A[*]}]" "${A[@]}"', ["[1,2]", "1", "2"]],
    ['V=a,b\nIFS=,\ngo $V "$V"', [U, "a,b"]],
    ["V='a b'\nOLD=$IFS\nIFS=,\nIFS=$OLD\ngo $V", ["a", "b"]],
    ["V='a b'\nIFS=$' \\t\\n'\ngo $V", ["a", "b"]],
  ])("%s", (script, words) => {
    expect(commands(script).find(([name]) => name === "go")).toEqual(["go", ...words]);
  });
});

describe("hostile text", () => {
  it.each<[string, string]>([
    ["doubling a variable", `A=xx\n${'A="$A$A"\n'.repeat(200)}p $A`],
    ["doubling an array", `A=(a b)\n${'A+=("${A[@]}")\n'.repeat(60)}p "\${A[@]}"`],
    ["open parentheses", "(".repeat(50_000)],
    ["open substitutions", "$(".repeat(50_000)],
    ["open defaults", "${a:-".repeat(20_000)],
    ["open braces", `p ${"{".repeat(20_000)}`],
    ["many braces", `p ${"{a,b}".repeat(40)}`],
    ["a long sequence", "p {1..999999999}"],
    ["open ifs", "if a; then ".repeat(5_000)],
    ["functions in functions", "a() ".repeat(20_000)],
    ["recursion", "f() { g; g; }\ng() { f; f; }\nf"],
    ["backticks", "`".repeat(29_999)],
    ["here-documents without end", "cat <<A\n".repeat(10_000)],
    ["alternatives of long texts", `if a; then X='${"y ".repeat(5_000)}'; else X=z; fi\n${"p $X $X\n".repeat(200)}`],
  ])("%s ends", (_, script) => {
    const reading = readShell(script);
    const words = reading.commands.reduce((sum, command) => sum + command.words.length, 0);
    const characters = reading.commands.reduce(
      (sum, { words: all }) => sum + all.reduce((n, w) => n + w.text.length, 0),
      0,
    );
    expect(words).toBeLessThan(100_000 + 2 * script.length);
    expect(characters).toBeLessThan(400_000 + 17 * script.length);
  });

  it("never throws on mutated scripts and keeps places inside the text", () => {
    const random = seeded(99);
    const seeds = ["grpo_arrays.sh", "sft_strings.sh", "ppo_branches.sh", "veomni_task.sh"].map((name) =>
      readFileSync(new URL(`../../../fixtures/shell/${name}`, import.meta.url), "utf8"),
    );
    const noise = [
      "'",
      '"',
      "$(",
      "${",
      "}",
      ")",
      "(",
      "`",
      "\\",
      "\n",
      "<<E\n",
      "{a,",
      ";;",
      "fi",
      "$'",
      " && ",
      "\0",
      "😀",
    ];
    for (let i = 0; i < 800; i++) {
      let text = seeds[i % seeds.length] ?? "";
      for (let n = 0; n < 3; n++) {
        const at = Math.floor(random() * text.length);
        const cut = Math.floor(random() * 6);
        text = text.slice(0, at) + (noise[Math.floor(random() * noise.length)] ?? "") + text.slice(at + cut);
      }
      for (const command of readShell(text).commands) {
        for (const word of command.words) {
          expect(word.starts).toHaveLength(word.text.length);
          expect(word.ends.every((end) => end <= text.length)).toBe(true);
        }
      }
    }
  });
});
