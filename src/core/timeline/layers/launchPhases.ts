import type { Timeline } from "../columns/columns.js";
import { launchOf } from "../columns/launches.js";
import { autogradLanes } from "./recogniseSteps.js";

/** A stretch of a list of device work, `[from, to)`, that one kind of thread launched. */
export interface LaunchPhase {
  readonly from: number;
  readonly to: number;
  /** Launched by threads of autograd's engine; null where the trace does not say who launched what. */
  readonly isBackward: boolean | null;
}

/** Fewer launches of the other kind in a row are no phase of their own. */
const LEAST_LAUNCHES = 32;
/** Steps × phases; more is noise, or made to keep us busy. */
const MOST_PHASES = 512;

/** Splits device work, in the order of its launches, into forward and backward: no repetition of layers reaches across. */
export function launchPhases(timeline: Timeline, order: Uint32Array): LaunchPhase[] {
  const whole = [{ from: 0, to: order.length, isBackward: null }];
  const calls = launchOf(timeline);
  const autograd = autogradLanes(timeline);
  if (calls === null || !autograd.includes(true)) return whole;
  const { lane } = timeline.events;
  const isAutograd = Uint8Array.from(autograd, Number);
  const phases: Phase[] = [];
  let now = { from: 0, to: 0, isBackward: false };
  for (let at = 0; at < order.length; at++) {
    const call = calls[order[at] ?? 0] ?? -1;
    // What nobody is known to have launched belongs to what came before it.
    const isBackward = call < 0 ? now.isBackward : isAutograd[lane[call] ?? 0] === 1;
    if (isBackward !== now.isBackward) {
      now.to = at;
      keep(phases, now);
      if (phases.length > MOST_PHASES) return whole;
      now = { from: at, to: at, isBackward };
    }
  }
  now.to = order.length;
  keep(phases, now);
  return phases;
}

interface Phase extends LaunchPhase {
  to: number;
  readonly isBackward: boolean;
}

/** A phase that is too short, and then the next one of the same kind, only lengthen the last. */
function keep(phases: Phase[], phase: Phase): void {
  const last = phases.at(-1);
  const isShort = phase.to - phase.from < LEAST_LAUNCHES;
  if (last !== undefined && (isShort || last.isBackward === phase.isBackward)) last.to = phase.to;
  else if (phase.to > phase.from) phases.push(phase);
}
