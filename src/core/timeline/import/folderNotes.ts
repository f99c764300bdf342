import type { Problem } from "../../base/outcome.js";
import { counted } from "../../base/quantities.js";

/** A file of a folder that is no trace. */
export interface OtherFile {
  /** Relative to the folder. */
  readonly path: string;
  /** What it is: the end of a sentence. */
  readonly what: string;
  readonly nextStep: string;
}

/** What a folder and the folders below it hold. Paths are relative to it, in the order of the numbers in them. */
export interface TraceFolder {
  readonly traces: readonly string[];
  readonly others: readonly OtherFile[];
  /** There are more files or deeper folders than were listed. */
  readonly isCut: boolean;
  /** So many files were listed and not opened: their names are not like those of traces, and there are too many. */
  readonly unopened: number;
}

/** Names in one sentence; of more only the number is said. */
const MOST_NAMED = 3;

/** What lies beside the traces of a folder, one sentence per kind, the most frequent first. */
export function folderNotes({ others, isCut, unopened }: TraceFolder): string[] {
  const notes = grouped(others, ({ what }) => what).map(([what, files]) => {
    // A line feed in a name must not begin a line of its own.
    const named = files.slice(0, MOST_NAMED).map(({ path }) => JSON.stringify(path).slice(1, -1));
    const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : "";
    return `${counted(files.length, "file")} not opened (${named.join(", ")}${more}): ${what}.`;
  });
  if (unopened > 0) {
    notes.push(
      `${counted(unopened, "file")} more not opened, whose names are not like those of traces; give a folder further down.`,
    );
  }
  if (isCut) notes.push("There are more files than were listed; give a folder further down.");
  return notes;
}

/** Says what there is instead of traces, and what to do about the most frequent kind. */
export function withoutTraces(folder: string, found: TraceFolder): Problem {
  const notes = folderNotes(found);
  const steps = grouped(found.others, ({ nextStep }) => nextStep);
  return {
    code: "FOLDER_WITHOUT_TRACES",
    message: `${folder} holds no traces.`,
    cause: notes.length === 0 ? "No file is in it." : notes.join(" "),
    nextStep: steps[0]?.[0] ?? "Give the folder into which the profiler wrote.",
  };
}

/** Groups by a text, the largest group first. */
function grouped(files: readonly OtherFile[], by: (file: OtherFile) => string): [string, readonly OtherFile[]][] {
  const groups = new Map<string, OtherFile[]>();
  for (const file of files) {
    const group = groups.get(by(file));
    if (group === undefined) groups.set(by(file), [file]);
    else group.push(file);
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length);
}
