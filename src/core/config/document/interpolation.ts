import type { ScalarValue } from "../yaml/plainScalar.js";
import { asMapping, type ConfigNode, entryOf, followAlias, nodeAt, scalarOf } from "./configNode.js";

/**
 * Where `${…}` may look: the file's root, the path of the mapping that holds the value, and which environment variables are set. Their
 * values are not asked for.
 */
export interface InterpolationScope {
  readonly root: ConfigNode | undefined;
  readonly containerPath: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const maxHops = 16;
const maxLength = 4_096;

/**
 * Replaces the interpolations of OmegaConf in a text as far as one file can tell: `${a.b}`, `${.sibling}`, `${..uncle}`,
 * `${oc.env:NAME,default}` and `${oc.select:path,default}`, nested too. A variable that is set stays as `${oc.env:NAME}`: the value
 * may be a secret and what is resolved here is shown; whoever opens a path expands it (`expandPath`). `undefined` when anything
 * stays open: an unknown variable or path, another resolver, `???`, a cycle, an unclosed brace.
 */
export function resolveText(text: string, scope: InterpolationScope): string | undefined {
  return new Resolver(scope).expand(text, scope.containerPath, 0);
}

class Resolver {
  #hops = 0;

  constructor(private readonly scope: InterpolationScope) {}

  expand(text: string, containerPath: readonly string[], depth: number): string | undefined {
    if (text === "???" || text.length > maxLength || depth > maxHops) return undefined;
    let result = "";
    let position = 0;
    while (position < text.length) {
      const open = text.indexOf("${", position);
      if (open < 0) return result + text.slice(position);
      const close = closingBrace(text, open + 2);
      if (close === undefined) return undefined;
      const value = this.#evaluate(text.slice(open + 2, close), containerPath, depth + 1);
      if (value === undefined) return undefined;
      result += text.slice(position, open) + value;
      if (result.length > maxLength) return undefined;
      position = close + 1;
    }
    return result;
  }

  #evaluate(expression: string, containerPath: readonly string[], depth: number): string | undefined {
    if (++this.#hops > maxHops) return undefined;
    const call = /^\s*([A-Za-z_][\w.]*)\s*:([\s\S]*)$/.exec(expression);
    if (call === null) return this.#lookUp(expression.trim(), containerPath, depth);
    const [subject = "", fallback] = splitArguments(call[2] ?? "");
    const found = this.#call(call[1] ?? "", subject, containerPath, depth);
    if (found !== undefined || fallback === undefined) return found;
    return this.expand(unquote(fallback), containerPath, depth);
  }

  #call(resolver: string, subject: string, containerPath: readonly string[], depth: number): string | undefined {
    if (resolver === "oc.env") return this.#variable(unquote(subject));
    return resolver === "oc.select" ? this.#lookUp(unquote(subject), containerPath, depth) : undefined;
  }

  #variable(name: string): string | undefined {
    const isSet = Object.hasOwn(this.scope.environment, name) && this.scope.environment[name] !== undefined;
    return isSet && /^[A-Za-z_]\w*$/.test(name) ? `\${oc.env:${name}}` : undefined;
  }

  #lookUp(reference: string, containerPath: readonly string[], depth: number): string | undefined {
    const match = /^(\.*)([^.[\]{}:]+(?:\.[^.[\]{}:]+)*)$/.exec(reference);
    if (match === null) return undefined;
    const dots = (match[1] ?? "").length;
    if (dots > containerPath.length + 1) return undefined;
    const base = dots === 0 ? [] : containerPath.slice(0, containerPath.length - (dots - 1));
    const path = [...base, ...(match[2] ?? "").split(".")];
    const node = nodeAt(this.scope.root, path);
    const value = scalarOf(node);
    return value === undefined ? undefined : this.#stringify(value, path.slice(0, -1), depth);
  }

  #stringify(value: ScalarValue, containerPath: readonly string[], depth: number): string | undefined {
    if (value.type === "null") return undefined;
    return value.type === "str" ? this.expand(value.value, containerPath, depth) : String(value.value);
  }
}

/** Follows a value that is one whole reference (`${a.b}`) to the node it names, if that is in the file. */
export function followReference(root: ConfigNode | undefined, node: ConfigNode | undefined): ConfigNode | undefined {
  let current = node === undefined ? undefined : followAlias(node);
  for (let hop = 0; hop < maxHops && current !== undefined; hop++) {
    const value = scalarOf(current);
    const reference =
      value?.type === "str" ? /^\$\{(?:oc\.select:)?([\w.]+)(?:,[^${}]*)?\}$/.exec(value.value)?.[1] : undefined;
    if (reference === undefined || reference.startsWith(".")) return current;
    const path = reference.split(".");
    const target = entryOf(asMapping(nodeAt(root, path.slice(0, -1))), path.at(-1) ?? "")?.value;
    current = target === undefined ? undefined : followAlias(target);
  }
  return undefined;
}

function closingBrace(text: string, from: number): number | undefined {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    if (text.startsWith("${", index)) depth++;
    else if (text[index] === "}" && --depth === 0) return index;
  }
  return undefined;
}

function splitArguments(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < list.length; index++) {
    const letter = list[index];
    if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    else if (letter === "," && depth === 0) {
      parts.push(list.slice(start, index).trim());
      start = index + 1;
    }
  }
  parts.push(list.slice(start).trim());
  return parts;
}

function unquote(text: string): string {
  return /^(['"])(.*)\1$/s.exec(text)?.[2] ?? text;
}
