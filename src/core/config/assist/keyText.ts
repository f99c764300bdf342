import type { KeyDoc } from "./keyDoc.js";
import { escapeMarkdown } from "./markdown.js";

/** Everything about one key as Markdown: what it does first, then the facts, then what goes wrong with it. */
export function keyMarkdown(doc: KeyDoc): string {
  const known = written.get(doc);
  if (known !== undefined) return known;
  const markdown = writeMarkdown(doc);
  written.set(doc, markdown);
  return markdown;
}

/** A completion list explains some fifty keys at every keystroke. */
const written = new WeakMap<KeyDoc, string>();

function writeMarkdown(doc: KeyDoc): string {
  const kind = [doc.type, ...(doc.nullable ? ["or null"] : []), ...(doc.required ? ["required"] : [])].join(", ");
  return [
    `**${escapeMarkdown(doc.name)}** · ${escapeMarkdown(kind)}`,
    escapeMarkdown(doc.description),
    ...(doc.inert && !doc.removed ? ["*Nothing that trains reads this value.*"] : []),
    ...allowedLines(doc),
    doc.facts.map(({ label, text }) => `- ${label}: ${text}`).join("\n"),
    ...rulesOf(doc),
    ...(doc.pitfall === undefined ? [] : [`**Pitfall:** ${escapeMarkdown(doc.pitfall)}`]),
    `*As in ${doc.source}.*`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What holds for one value of a key. */
export function valueMarkdown(doc: KeyDoc, value: string): string {
  const allowed = doc.allowed;
  const known = allowed?.values.includes(value) === true;
  const verdict =
    allowed === undefined || known
      ? ""
      : allowed.open
        ? "Not one of the known values; plug-ins may register more."
        : "Not one of the allowed values.";
  const isDefault = doc.defaultText === value ? "This is the default." : "";
  return [isDefault, verdict].filter((part) => part !== "").join(" ");
}

/** A few words beside a label. */
export function keyDetail(doc: KeyDoc): string {
  const base = doc.defaultText === undefined ? doc.type : `${doc.type}, default ${doc.defaultText}`;
  return doc.onlyFor.length === 0 ? base : `${base}, ${doc.onlyFor.join(" and ")} only`;
}

/** Under a heading of their own: two lists in a row would be one. */
function rulesOf(doc: KeyDoc): readonly string[] {
  if (doc.constraints.length === 0) return [];
  return ["Rules:", doc.constraints.map((constraint) => `- ${escapeMarkdown(constraint)}`).join("\n")];
}

function allowedLines(doc: KeyDoc): readonly string[] {
  if (doc.allowed === undefined) return [];
  const values = doc.allowed.values.map((value) => `\`${value}\``).join(", ");
  return [`Values: ${values}${doc.allowed.open ? ", or others that plug-ins register" : ""}.`];
}
