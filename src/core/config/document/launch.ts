/** A command of a script that starts a task of VeOmni with a YAML file. Plain data. */
export interface Launch {
  /** Path of the script, as it was handed in. */
  readonly script: string;
  /** Where the command begins, from 1. */
  readonly line: number;
  /** The YAML file as the task receives it. */
  readonly file: string;
  /** `file` is what follows something that only a run can tell. */
  readonly isTail: boolean;
  /** Keys that its flags set. */
  readonly keys: readonly string[];
  /** No word of it is known to a run only, so that it has no other flags. */
  readonly isComplete: boolean;
}

/** What a launch has to do with a file: it starts it, it may start it, or it starts another one. */
export type Start = "certain" | "possible" | "none";

/** Whether a launch starts the YAML file: a relative path counts from the folder of the script or one above it. */
export function startOf({ script, file, isTail, isComplete }: Launch, path: string): Start {
  const wanted = segmentsOf(path);
  const written = file.replaceAll("\\", "/");
  if (isTail) return /^\/./.test(written) && endsWith(wanted, segmentsOf(written)) ? "possible" : "none";
  if (!foldersFor(written, script).some((folder) => same(segmentsOf(`${folder}/${written}`), wanted))) return "none";
  return isComplete ? "certain" : "possible";
}

function foldersFor(written: string, script: string): readonly string[] {
  if (/^(?:\/|[A-Za-z]:\/)/.test(written)) return [""];
  const folders = segmentsOf(script).slice(0, -1);
  return Array.from({ length: folders.length + 1 }, (_, length) => folders.slice(0, length).join("/"));
}

/** Without empty segments and `.`; `..` takes the one before it. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && endsWith(left, right);
}

function endsWith(whole: readonly string[], tail: readonly string[]): boolean {
  const from = whole.length - tail.length;
  return from >= 0 && tail.every((segment, i) => segment === whole[from + i]);
}

/** The path of a script as seen from the folder of a file. */
export function pathFrom(file: string, script: string): string {
  const from = segmentsOf(file).slice(0, -1);
  const to = segmentsOf(script);
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
