import type { YamlItem, YamlMapping, YamlNode, YamlScalar } from "../yaml/composeYaml.js";
import type { ScalarValue, YamlReader } from "../yaml/plainScalar.js";
import { tagOf, valueUnder } from "../yaml/scalarValue.js";
import type { ConfigNode } from "./configNode.js";
import type { TextSpan } from "./diagnostic.js";
import { type DuplicateKey, entryOfPair, MappingBuilder, type WrittenEntry } from "./mappingEntries.js";
import type { SyntaxProblem } from "./syntaxProblem.js";

/** A document that was read to its end. */
export interface LoadedNodes {
  readonly root: ConfigNode;
  readonly problems: readonly SyntaxProblem[];
  readonly duplicateKeys: readonly DuplicateKey[];
}

/** The nodes of a composed text with the values that `reader` gives them. */
export function loadedNodes(text: string, root: YamlNode, reader: YamlReader): LoadedNodes {
  const loading = new Loading(text, reader);
  return { root: loading.item(root), problems: loading.problems, duplicateKeys: loading.mappings.duplicateKeys };
}

class Loading {
  readonly problems: SyntaxProblem[] = [];
  readonly mappings = new MappingBuilder();
  readonly #finished = new Map<YamlNode, ConfigNode>();

  constructor(
    private readonly text: string,
    private readonly reader: YamlReader,
  ) {}

  item(item: YamlItem): ConfigNode {
    if (item.kind === "alias") {
      const span = { start: item.start, end: item.end };
      const target = this.#finished.get(item.target);
      if (target !== undefined) return { kind: "alias", span, name: item.name, target };
      this.#reportRecursion(span, item.name);
      return { kind: "alias", span, name: item.name };
    }
    const node = this.#node(item);
    this.#finished.set(item, node);
    return node;
  }

  /** PyYAML builds a list that holds itself; OmegaConf never comes to its end. */
  #reportRecursion(span: TextSpan, name: string): void {
    if (this.reader !== "omegaconf") return;
    const message = `*${name} stands inside of what &${name} names, which no configuration can hold`;
    this.problems.push({ code: "RECURSIVE_ALIAS", message, span });
  }

  #node(node: YamlNode): ConfigNode {
    if (node.kind === "scalar") {
      return { kind: "scalar", span: this.#spanOf(node), style: node.style, value: this.#valueOf(node) };
    }
    if (node.kind === "mapping") return this.#mapping(node);
    const items = node.items.map((item) => this.item(item));
    const end = node.flow ? node.end : (items.at(-1)?.span.end ?? node.end);
    return { kind: "sequence", span: { start: node.start, end }, flow: node.flow, items };
  }

  #valueOf(node: YamlScalar): ScalarValue {
    return valueUnder(tagOf(node, this.reader), node.text) ?? { type: "str", value: node.text };
  }

  /** Keys that are no scalars are left out, with their values. */
  #mapping(node: YamlMapping): ConfigNode {
    const written: WrittenEntry[] = [];
    let end = node.start;
    for (const { key, value } of node.pairs) {
      const keyNode = this.item(key);
      const valueNode = value === undefined ? undefined : this.item(value);
      end = valueNode?.span.end ?? keyNode.span.end;
      if (key.kind !== "scalar") continue;
      const tag = tagOf(key, this.reader);
      const merges = tag === "tag:yaml.org,2002:merge";
      // OmegaConf compares texts only.
      const mayRepeat = this.reader === "omegaconf" && tag !== "tag:yaml.org,2002:str";
      written.push({ entry: entryOfPair(key.text, keyNode.span, valueNode), merges, mayRepeat });
    }
    const isWritten = node.flow && this.text[node.start] === "{";
    return this.mappings.build(written, {
      span: { start: node.start, end: isWritten ? node.end : end },
      flow: node.flow,
    });
  }

  /** Of a block scalar without the blank lines behind it. */
  #spanOf({ start, end, style }: YamlScalar): TextSpan {
    let last = end;
    if (style === "block")
      while (last > start + 1 && /[ \t\r\n\x85\u2028\u2029]/.test(this.text[last - 1] ?? "")) last--;
    return { start, end: last };
  }
}
