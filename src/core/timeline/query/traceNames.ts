/** What the name of a trace says of the place that it was recorded at. */
export interface TraceName {
  /** Role and scope as verl writes them before step and rank, such as `actor actor-update`; empty where there is none. */
  readonly context: string;
  readonly step: number | null;
  readonly rank: number | null;
}

/** verl: `[role_][scope_][stepS_]rankR[-of-W]…`; others: `rank-0.json.gz`, `…_rank0.pt.trace.json`. */
const NAME = /^(?<context>.*?)[_-]?(?:step(?<step>\d+)[_-])?rank[-_]?(?<rank>\d+)(?=[^\da-z]|$)/i;

/** Reads a file's name, with or without folders before it: the last folder is part of the context. */
export function readTraceName(path: string): TraceName {
  const found = NAME.exec(path)?.groups;
  if (found === undefined) return { context: "", step: null, rank: null };
  const context = (found.context ?? "").split(/[/\\_]+/).filter((part) => part !== "");
  return {
    context: context.join(" "),
    step: found.step === undefined ? null : Number(found.step),
    rank: Number(found.rank),
  };
}

/** A trace as a tab calls it: its file, and the rank that its header names. */
interface NamedFile {
  readonly fileName: string;
  readonly rank: number | null;
}

/**
 * Short names that tell the traces of one tab apart: `rank 0`; with role, scope and step before it where several have that rank; the
 * file's name where nothing names a rank or that is not enough either.
 */
export function shortTraceNames(traces: readonly NamedFile[]): string[] {
  const read = traces.map(({ fileName, rank }) => {
    const name = readTraceName(fileName);
    return { ...name, rank: rank ?? name.rank, fileName };
  });
  const ranks = read.map(({ rank, fileName }) => (rank === null ? fileName : `rank ${rank}`));
  if (areDistinct(ranks)) return ranks;
  const placed = read.map(({ context, step, rank, fileName }) =>
    rank === null
      ? fileName
      : [context, step === null ? "" : `step ${step}`, `rank ${rank}`].filter((part) => part !== "").join(" "),
  );
  return areDistinct(placed) ? placed : read.map(({ fileName }) => fileName);
}

/** File names of paths with `/`; where two are equal, all with as many folders before them as it takes. */
export function distinctFileNames(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split("/").filter((part) => part !== ""));
  const deepest = Math.max(1, ...parts.map(({ length }) => length));
  for (let kept = 1; kept < deepest; kept++) {
    const names = parts.map((part) => part.slice(-kept).join("/"));
    if (areDistinct(names) || new Set(paths).size < paths.length) return names;
  }
  return parts.map((part) => part.join("/"));
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
