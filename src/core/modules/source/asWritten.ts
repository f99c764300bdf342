import type { Problem } from "../../base/outcome.js";

/** A text that must not be shown, the value of a variable in most cases, and what stands for it. */
export interface Hidden {
  readonly text: string;
  readonly shown: string;
}

/** Makes a problem one that may be shown: messages are copied into reports. */
export type HideProblem = (problem: Problem) => Problem;

/** Hides every one of the texts, longer ones first. */
export function asWritten(hidden: readonly Hidden[]): HideProblem {
  const hide = hiding(hidden);
  return (problem) => ({
    ...problem,
    message: hide(problem.message),
    ...(problem.cause === undefined ? {} : { cause: hide(problem.cause) }),
    nextStep: hide(problem.nextStep),
  });
}

/** The same for a text. */
export function hiding(hidden: readonly Hidden[]): (text: string) => string {
  const kept = hidden
    .filter(({ text, shown }) => text !== "" && text !== shown)
    .sort((a, b) => b.text.length - a.text.length);
  // A function as replacement: a `$` means nothing in it.
  return (text) => kept.reduce((told, part) => told.replaceAll(part.text, () => part.shown), text);
}

const secretName = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|ACCESS_?KEY/i;
/** An address with a user and a password, as proxies and package indexes have. */
const signedAddress = /:\/\/[^/\s@]+@/;
/** Shorter values would be found in any text. */
const leastSecret = 6;

/** The values of an environment that nobody may read in a message; their names stand for them. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): readonly Hidden[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.length < leastSecret) return [];
    return secretName.test(name) || signedAddress.test(value) ? [{ text: value, shown: `$${name}` }] : [];
  });
}
