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
