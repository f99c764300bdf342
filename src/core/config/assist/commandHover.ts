import type { TextSpan } from "../document/diagnostic.js";
import type { CommandFile } from "../overrides/calls.js";
import type { Override } from "../shell/overrides.js";
import { newestLayout } from "../veomni/layout.js";
import { docAt } from "./complete.js";
import type { HoverText } from "./hover.js";
import { type KeyDoc, layoutsWith } from "./keyDoc.js";
import { keyMarkdown } from "./keyText.js";
import type { ConfigOutline } from "./outline.js";

/** Blocks are told by their place; `engine` is where the SFT trainer has its own. */
const verlOutline: ConfigOutline = { dialect: "verl", form: "composed", engines: ["engine"], optimizers: [] };

/** Explains the key of an override or a flag in a shell script or in a shell block of Markdown. */
export function commandHoverAt({ calls }: CommandFile, offset: number): HoverText | undefined {
  const override = calls.flat().find(({ keySpan }) => holds(keySpan, offset));
  const doc = override === undefined ? undefined : docOf(override);
  return override === undefined || doc === undefined
    ? undefined
    : { span: override.keySpan, markdown: keyMarkdown(doc) };
}

function docOf({ dialect, keyPath }: Override): KeyDoc | undefined {
  const path = keyPath.split(".");
  if (dialect === "verl") return docAt(verlOutline, path);
  const layout = layoutsWith(keyPath).at(-1) ?? newestLayout;
  return docAt({ dialect: layout, origin: "default", trainers: [] }, path);
}

function holds(span: TextSpan, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}
