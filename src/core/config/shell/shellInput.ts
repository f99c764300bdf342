import type { Node, Segment, ShellInput, Word } from "./syntax.js";

/** Programs that run what they read as shell commands, here or on another machine. */
const SHELL = /^(?:\S*\/)?(?:ba|da|z|k)?sh$/;
const REMOTE_SHELL = /^(?:\S*\/)?ssh$/;
const SUBMITTER = /^(?:\S*\/)?(?:sbatch|qsub|bsub)$/;
/** Programs that write what they read into a file. */
const WRITER = /^(?:\S*\/)?(?:cat|tee)$/;
const SCRIPT_FILE = /\.(?:sh|bash|sbatch|slurm)$/;
/** Options of ssh and sbatch whose value is the next word. */
const OPTION_WITH_VALUE = /^-(?:[bcDEFIiJLlmOopQRSWw]|o)$/;

/**
 * True where what a command reads is a script: a shell without a file or `-c`, also behind a launcher or on another host, a scheduler
 * that gets its job this way, and `cat` or `tee` into a script file. `words` are those of the command, `output` the file behind `>`.
 */
export function readsScript(words: readonly string[], output: string | undefined): boolean {
  const [name = "", ...args] = words;
  if (WRITER.test(name)) return [...args, output ?? ""].some((file) => SCRIPT_FILE.test(file));
  const shell = words.findLastIndex((word) => SHELL.test(word));
  if (shell >= 0) return isFedByInput(words.slice(shell + 1));
  if (SUBMITTER.test(name)) return operandsOf(args).length === 0;
  return REMOTE_SHELL.test(name) && operandsOf(args).length === 1;
}

/** Behind the name of a shell: `-s` with whatever follows, or options only. */
function isFedByInput(args: readonly string[]): boolean {
  for (const [i, arg] of args.entries()) {
    if (/^-[a-z]*s/.test(arg)) return true;
    if (/^-[a-z]*c/.test(arg)) return false;
    if (!/^[-+]/.test(arg) && args[i - 1] !== "-o") return false;
  }
  return true;
}

function operandsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg, i) => !arg.startsWith("-") && !OPTION_WITH_VALUE.test(args[i - 1] ?? ""));
}

/** What a command writes, of those that only hand a text on: `cat` its input, `echo` and a plain `printf` their words. */
export function writtenBy({ words, input }: Node & { readonly kind: "simple" }): ShellInput | undefined {
  const [name, ...args] = words;
  const texts = args.map(plainText);
  switch (name && plainText(name)) {
    case "cat":
      return texts.every((text) => text === "-") ? input : undefined;
    case "echo": {
      const first = texts.findIndex((text) => text === undefined || !/^-[neE]+$/.test(text));
      return first < 0 ? undefined : { word: joined(args.slice(first)) };
    }
    case "printf":
      return /^%s(?:\\n)?$/.test(texts[0] ?? "") ? { word: joined(args.slice(1)) } : undefined;
    default:
      return undefined;
  }
}

/** The text of a word in which nothing is expanded. */
function plainText({ segments }: Word): string | undefined {
  const texts = segments.filter((segment) => segment.kind !== "quote");
  return texts.every((segment) => segment.kind === "text")
    ? texts.map((segment) => (segment.kind === "text" ? segment.text : "")).join("")
    : undefined;
}

function joined(words: readonly Word[]): Word {
  const segments = words.flatMap(({ segments: own, start }, i): readonly Segment[] =>
    i === 0 ? own : [{ kind: "text", text: " ", start, end: start, quoting: "double" }, ...own],
  );
  return { segments, start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}
