import { formatNs } from "../../../core/base/quantities.js";
import { figuresOf, type RunFigure, runTitle } from "../../../core/profile/runFigures.js";
import type { ProfileOverview } from "../../../core/timeline/query/protocol.js";
import { shortTraceNames } from "../../../core/timeline/query/traceNames.js";

/** What the page calls a run: the strategy of a profile, the rank or file of a trace. */
export function runName(profile: ProfileOverview, run: number): string {
  const profiled = profile.result?.runs[run];
  if (profiled !== undefined) return runTitle(profiled);
  const trace = profile.traces[run];
  const rank = profile.timelines[run]?.rank ?? trace?.rank ?? null;
  const fileName = trace?.fileName ?? profile.fileName;
  return rank === null ? fileName : `rank ${rank} · ${fileName}`;
}

/** The same where room is short. */
export function shortRunName(profile: ProfileOverview, run: number): string {
  const profiled = profile.result?.runs[run];
  if (profiled !== undefined) return `${profiled.strategy} · ckpt ${profiled.gradientCheckpointing ? "on" : "off"}`;
  const names = shortTraceNames(
    profile.traces.map(({ fileName, rank }, at) => ({ fileName, rank: profile.timelines[at]?.rank ?? rank })),
  );
  return names[run] ?? profile.fileName;
}

function figureText({ label, value, range }: RunFigure): string {
  return `${label} ${value}${range === null ? "" : ` (${range})`}`;
}

/** Name and key figures in one sentence, for screen readers. */
export function describeRun(profile: ProfileOverview, run: number): string {
  const name = runName(profile, run);
  if (profile.result !== null) {
    const figures = figuresOf(profile.result, run).map((figure) => figureText(figure));
    return `${name}. ${figures.join(", ")}.`;
  }
  const timeline = profile.timelines[run];
  const metrics = timeline?.perDevice[0] ?? timeline?.metrics;
  if (metrics === undefined) return `${name}.`;
  const { spanNs, computeBusyNs, copiesAny } = metrics;
  return `${name}. Span ${formatNs(spanNs)}, compute busy ${formatNs(computeBusyNs)}, exposed copies ${formatNs(copiesAny.exposedNs)}.`;
}
