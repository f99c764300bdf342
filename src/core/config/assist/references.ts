import type { ConfigDocument } from "../document/configDocument.js";
import {
  asMapping,
  type ConfigNode,
  entryOf,
  type MappingEntry,
  nodeAt,
  type ScalarNode,
  textOf,
} from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { readInterpolations } from "../hydra/interpolation.js";
import type { Interpolation } from "../hydra/value.js";

/** A place that names another place of the same file: an interpolation, or an alias. */
export interface ReferenceLink {
  readonly span: TextSpan;
  /** The key that is meant, or the node behind an anchor. */
  readonly target: TextSpan;
}

const maxInterpolations = 50;

/** The links of one scalar: `${a.b}`, `${.sibling}`, `${oc.select:a.b,default}`, nested ones too. Innermost last. */
export function linksOf(
  document: ConfigDocument,
  node: ScalarNode,
  containerPath: readonly string[],
): readonly ReferenceLink[] {
  const value = textOf(node);
  if (value === undefined || !value.includes("${")) return [];
  const written = document.text.slice(node.span.start, node.span.end);
  const inner = written.indexOf(value);
  const links: ReferenceLink[] = [];
  for (const interpolation of flatten(readInterpolations(value).interpolations).slice(0, maxInterpolations)) {
    const path = pathOf(interpolation);
    const target = path === undefined ? undefined : entryNamed(document.root, path, containerPath);
    if (target === undefined) continue;
    // Escapes and line breaks move the text: then the whole value is the link.
    const at = (offset: number): number => node.span.start + inner + offset;
    const span = inner < 0 ? node.span : { start: at(interpolation.span.start), end: at(interpolation.span.end) };
    links.push({ span, target: target.keySpan });
  }
  return links;
}

/** The link of an alias to its anchor. */
export function linkOfAlias(node: ConfigNode): readonly ReferenceLink[] {
  if (node.kind !== "alias" || node.target === undefined) return [];
  return [{ span: node.span, target: node.target.span }];
}

function flatten(interpolations: readonly Interpolation[]): readonly Interpolation[] {
  return interpolations.flatMap((each) => [each, ...flatten(each.nested)]);
}

function pathOf(interpolation: Interpolation): string | undefined {
  if (interpolation.kind === "node") return interpolation.target;
  return interpolation.target === "oc.select" ? interpolation.args[0] : undefined;
}

/** The entry of a dotted path; leading dots count from the mapping that holds the value. */
function entryNamed(
  root: ConfigNode | undefined,
  reference: string,
  containerPath: readonly string[],
): MappingEntry | undefined {
  const match = /^(\.*)([^.[\]{}:$]+(?:\.[^.[\]{}:$]+)*)$/.exec(reference);
  if (match === null) return undefined;
  const dots = (match[1] ?? "").length;
  if (dots > containerPath.length + 1) return undefined;
  const base = dots === 0 ? [] : containerPath.slice(0, containerPath.length - (dots - 1));
  const path = [...base, ...(match[2] ?? "").split(".")];
  return entryOf(asMapping(nodeAt(root, path.slice(0, -1))), path.at(-1) ?? "");
}
