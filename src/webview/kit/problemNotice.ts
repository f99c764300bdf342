import type { Problem } from "../../core/base/outcome.js";
import { element } from "./element.js";

/** Shown instead of what a page is for: what failed, why, what to do about it, and what can be done at once. */
export function problemNotice(
  { message, cause, nextStep, code }: Problem,
  ...actions: readonly HTMLElement[]
): HTMLElement {
  const text = element(
    "div",
    { role: "alert" },
    element("h1", {}, message),
    ...(cause === undefined ? [] : [element("p", {}, cause)]),
    element("p", { class: "next-step" }, nextStep),
    element("p", { class: "muted" }, element("code", {}, code)),
  );
  return element("main", { class: "notice" }, text, ...actions);
}
