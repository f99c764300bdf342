import type { Problem } from "../../base/outcome.js";

/** What is asked of a timeline before it is there. */
export const stillLoading: Problem = {
  code: "PROFILE_LOADING",
  message: "The file is still being read.",
  nextStep: "Try again when the timeline is shown.",
};
