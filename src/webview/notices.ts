import type { Problem } from "../core/outcome.js";
import { formatBytes } from "../core/timeline/quantities.js";
import { progressRing } from "./controls.js";
import { element } from "./element.js";

/** Shown until the file is read. */
export function loadingNotice(fileName: string, sizeBytes: number | null): HTMLElement {
  const size = sizeBytes === null ? "" : ` (${formatBytes(sizeBytes)})`;
  return element(
    "main",
    { class: "notice", role: "status" },
    progressRing(),
    element("p", {}, `Reading ${fileName}${size} …`),
  );
}

/** Shown instead of a timeline: what failed, why, and what to do about it. */
export function problemNotice(problem: Problem): HTMLElement {
  const cause = problem.cause === undefined ? [] : [element("p", {}, problem.cause)];
  return element(
    "main",
    { class: "notice", role: "alert" },
    element("h1", {}, problem.message),
    ...cause,
    element("p", { class: "next-step" }, problem.nextStep),
    element("p", { class: "muted" }, element("code", {}, problem.code)),
  );
}
