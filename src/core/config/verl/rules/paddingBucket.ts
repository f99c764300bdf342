import { removeFix } from "../../document/edits.js";
import { booleanIn, integerIn } from "../../document/literalValues.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

const defaultBucket = 1024;

/** A padding bucket that nothing reads, or that is rounded up. */
export const paddingBucket: BlockRule = {
  code: "padding-bucket",
  severities: ["hint"],
  explanation:
    "pad_to_length_bucket is read only while pad_to_length is true, and it is rounded up to a multiple of ulysses_parallel_size.",
  example: engineExample("pad_to_length: true", "pad_to_length_bucket: 100", "ulysses_parallel_size: 8"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, document } = context;
  const written = writtenField(block, "pad_to_length_bucket");
  const bucket = integerIn(document.root, block.mapping, "pad_to_length_bucket");
  if (written === undefined || bucket === undefined || bucket < 1) return [];
  if (paddingOf(context) === false) return bucket === defaultBucket ? [] : [unused(context, written)];
  const size = integerIn(document.root, block.mapping, "ulysses_parallel_size") ?? 1;
  if (size < 1 || bucket % size === 0) return [];
  const rounded = Math.ceil(bucket / size) * size;
  return [
    {
      span: written.entry.span,
      severity: "hint",
      message: `pad_to_length_bucket is rounded up to ${rounded}, a multiple of ulysses_parallel_size ${size}.`,
      fixes: setFix(`Set pad_to_length_bucket to ${rounded}`, context, written.entry, String(rounded)),
    },
  ];
}

/** The block's own switch, else the one that it follows; `undefined` when the file does not say. */
function paddingOf({ block, document }: BlockContext): boolean | undefined {
  return (
    booleanIn(document.root, block.mapping, "pad_to_length") ??
    (block.role === "sft" ? undefined : booleanIn(document.root, block.parent, "pad_to_length"))
  );
}

function unused(context: BlockContext, written: NonNullable<ReturnType<typeof writtenField>>): Finding {
  return {
    span: written.entry.keySpan,
    severity: "hint",
    message: "pad_to_length_bucket has no effect while pad_to_length is false.",
    fixes: removeFix("Remove pad_to_length_bucket", context, written.container, written.entry),
  };
}
