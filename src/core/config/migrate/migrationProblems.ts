import type { Problem } from "../../base/outcome.js";
import { positionOf } from "../document/position.js";

/** The text is no sound YAML. */
export function brokenProblem(text: string, message: string, offset: number): Problem {
  const { line, column } = positionOf(text, offset);
  return {
    code: "CONFIG_BROKEN",
    message: `The file is no sound YAML at line ${line}, column ${column}.`,
    cause: message,
    nextStep: "Correct that first; nothing was changed.",
  };
}

/** Two keys want one place. */
export function conflictProblem(mover: string, path: string): Problem {
  return {
    code: "MIGRATION_CONFLICT",
    message: `${mover} would have to go to ${path}, and that place is taken.`,
    cause: "The file holds the setting twice, at the places of two layouts.",
    nextStep: "Remove the one that does not count; nothing was changed.",
  };
}

/** A key that stands twice would have to move. */
export function repeatedProblem(path: string): Problem {
  return {
    code: "MIGRATION_CONFLICT",
    message: `${path} stands twice in its block, and it would have to be changed.`,
    cause: "PyYAML takes the last one without a word, so what the other says does not count.",
    nextStep: "Remove the one that does not count; nothing was changed.",
  };
}

/** The lines cannot be moved without changing a value. */
export function unsafeProblem(cause: string): Problem {
  return {
    code: "MIGRATION_UNSAFE",
    message: "The file cannot be rearranged without changing what it says.",
    cause,
    nextStep: "Write anchors, aliases and merge keys out as plain values, then try again; nothing was changed.",
  };
}
