import type { Diagnostic } from "../document/diagnostic.js";
import { scriptExample } from "../rules/example.js";
import { diagnosticOf, type RuleFacts } from "../rules/rule.js";
import { convertReturns, readReturns } from "../shell/lineReturns.js";
import { isScript } from "../shell/overrides.js";

/** A script of Windows: one cause, one finding. What else is wrong with it is judged as if its line ends were converted. */
export const carriageReturns: RuleFacts = {
  code: "carriage-returns",
  severities: ["error"],
  explanation:
    "bash ends lines at line feeds only. With the line ends of Windows (CR LF) the carriage return becomes a letter of the last word of its line: values end in it, which Hydra refuses, a backslash continues nothing, and words like do and then are not known. Lines that end with a carriage return alone are one line for it. The script is judged as if its line ends were converted; nothing of it arrives until they are. Git keeps them with `*.sh text eol=lf` in .gitattributes.",
  example: scriptExample(
    "python3 -m verl.trainer.main_ppo model_engine=veomni \\\r",
    "  actor_rollout_ref.actor.veomni.enable_async_activation_offload=true\r",
  ),
};

/** The one finding on a script with such line ends; nothing where they end comments only, and for files that bash does not run. */
export function returnFindings(path: string, text: string): readonly Diagnostic[] {
  const returns = isScript(path) ? readReturns(text) : undefined;
  if (returns === undefined) return [];
  const { count, kinds, span, line } = returns;
  const lines = count === 1 ? "1 line ends" : `${count.toLocaleString("en-US")} lines end`;
  return [
    diagnosticOf(carriageReturns.code, {
      span: line,
      severity: "error",
      message: `${lines} with a carriage return (${kinds.join(" and ")}), which bash takes as a letter of a word: values end in it, backslashes continue nothing, keywords are not known. Convert the line ends to LF.`,
      fixes: [
        {
          title: "Convert the line ends to LF",
          edits: [{ span, newText: convertReturns(text.slice(span.start, span.end)) }],
          convertsLineEnds: true,
        },
      ],
    }),
  ];
}
