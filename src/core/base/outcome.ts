/**
 * A failure that the user can act on. Bugs throw; everything else is one of these.
 * `code` is stable and upper snake case (`MODEL_CONFIG_MISSING`), `message` names the thing that failed,
 * `cause` says why in one sentence, `nextStep` says what to do about it.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly cause?: string;
  readonly nextStep: string;
}

/** A value, or the reason why there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** Wraps a value that was obtained. */
export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** Wraps the reason why no value was obtained. */
export function fail<T = never>(problem: Problem): Outcome<T> {
  return { ok: false, problem };
}

/** One line for people: message, cause and next step, in that order, with the code in front. */
export function describeProblem(problem: Problem): string {
  const cause = problem.cause === undefined ? "" : ` ${problem.cause}`;
  return `${problem.code}: ${problem.message}${cause} ${problem.nextStep}`;
}
