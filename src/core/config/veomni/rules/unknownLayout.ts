import { nearestSpelling } from "../../../base/spelling.js";
import { replaceFix } from "../../document/edits.js";
import { layoutIds } from "../layout.js";
import { trainingText } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A first-line comment that pins a layout which does not exist. */
export const unknownLayout: TrainingRule = {
  code: "unknown-layout",
  severities: ["warning"],
  explanation: `A first line "# offload-lens: layout=…" pins the layout of a file. Known: ${layoutIds.join(", ")}.`,
  example: { text: `# offload-lens: layout=train_scoped\n${trainingText({})}` },
  check: ({ detection }) => {
    const pin = detection.badPin;
    if (pin === undefined) return [];
    const nearest = nearestSpelling(pin.text, layoutIds);
    return [
      {
        span: pin.span,
        severity: "warning",
        message: `There is no layout "${pin.text.slice(0, 60)}". Known: ${layoutIds.join(", ")}.`,
        fixes: nearest === undefined ? [] : [replaceFix(`Write ${nearest}`, pin.span, nearest)],
      },
    ];
  },
};
