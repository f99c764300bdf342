import { describe, expect, it } from "vitest";
import type { DocumentReading } from "../../../../src/core/config/assist/documentReading.js";
import { readingOfText } from "../ofText.js";

const text = `# one
# two
# three
data:
  limit: 2
actor_rollout_ref:
  model:
    path: \${oc.env:MODEL_ROOT,/models}/Qwen3-8B
  actor:
    strategy: veomni
    veomni: &engine
      activation_offload_modules:
        - model.layers.{*}
        - "model.norm"
      activation_offload_host_cache_limit_gb: 0.25
      seed: \${data.limit}
  ref:
    veomni:
      <<: *engine
      fsdp_size: \${..actor_is_absent}
      activation_offload_modules: [model.layers.{*}, b]
critic:
  model:
    path: \${actor_rollout_ref.model.path}-critic
    token: \${oc.env:HUB_TOKEN}
`;

function reading(source = text, environment = {}): DocumentReading {
  const found = readingOfText("train.yaml", source, environment);
  if (found === undefined) throw new Error("not recognised");
  return found;
}

describe("readDocument", () => {
  it("knows nothing about other files", () => {
    expect(readingOfText("compose.yaml", "services:\n  web: x\n")).toBeUndefined();
  });

  it("keeps an outline without positions", () => {
    expect(reading().outline).toEqual({
      dialect: "verl",
      form: "composed",
      engines: ["actor_rollout_ref.actor.veomni", "actor_rollout_ref.ref.veomni"],
      optimizers: [],
    });
  });

  it("lists pattern lists with their entries, broken ones as meant, merged ones once", () => {
    const lists = reading().patternLists;
    expect(lists.map(({ blockPath }) => blockPath)).toEqual([
      "actor_rollout_ref.actor.veomni",
      "actor_rollout_ref.ref.veomni",
    ]);
    const written = lists.map(({ entries }) => entries.map((entry) => [entry.text, slice(entry.span)]));
    expect(written).toEqual([
      [
        ["model.layers.{*}", "model.layers.{*}"],
        ["model.norm", '"model.norm"'],
      ],
      [
        ["model.layers.{*}", "model.layers.{*}"],
        ["b", "b"],
      ],
    ]);
  });

  it("hints bytes and effective values, and keeps values of the environment off the screen", () => {
    const hints = reading(text, { MODEL_ROOT: "/s3cr3t", HUB_TOKEN: "s3cr3t" }).hints.map(({ label, offset }) => [
      text
        .slice(text.lastIndexOf("\n", offset - 1) + 1, offset)
        .trim()
        .split(":")[0],
      label,
    ]);
    expect(hints).toEqual([
      ["path", "= ${oc.env:MODEL_ROOT}/Qwen3-8B"],
      ["activation_offload_host_cache_limit_gb", "= 268,435,456 bytes"],
      ["seed", "= 2"],
      ["path", "= ${oc.env:MODEL_ROOT}/Qwen3-8B-critic"],
    ]);
  });

  it("links interpolations and aliases to what they name", () => {
    const links = reading().links.map(({ span, target }) => [slice(span), slice(target).split("\n")[0]]);
    expect(links).toContainEqual(["${data.limit}", "limit"]);
    expect(links).toContainEqual(["${actor_rollout_ref.model.path}", "path"]);
    expect(links.some(([from]) => from?.includes("absent"))).toBe(false);
  });

  it("links relative paths, nested interpolations and quoted texts", () => {
    const source =
      'actor_rollout_ref:\n  actor:\n    veomni:\n      seed: 1\n      fsdp_size: ${.seed}\n      a: "x${...kind}"\n      b: ${oc.select:actor_rollout_ref.${kind},0}\n  kind: y\nkind: z\n';
    const links = reading(source).links.map(({ span, target }) => [
      source.slice(span.start, span.end),
      source.slice(target.start, target.end),
      target.start,
    ]);
    expect(links).toEqual([
      ["${.seed}", "seed", source.indexOf("seed:")],
      ["${...kind}", "kind", source.indexOf("kind: y")],
      ["${kind}", "kind", source.indexOf("kind: z")],
    ]);
  });

  it("gives symbols for blocks, keys and patterns", () => {
    const symbols = reading().symbols;
    expect(symbols.map(({ name }) => name)).toEqual(["data", "actor_rollout_ref", "critic"]);
    const engine = symbols[1]?.children[1]?.children[1];
    expect(engine).toMatchObject({ name: "veomni", kind: "engine", detail: "VeOmni engine" });
    expect(engine?.children[0]?.children.map(({ name, kind }) => [name, kind])).toEqual([
      ["model.layers.{*}", "pattern"],
      ["model.norm", "pattern"],
    ]);
  });

  it("keeps the name of a symbol inside its span", () => {
    const visit = (symbols: DocumentReading["symbols"]): void => {
      for (const { span, nameSpan, name, children } of symbols) {
        expect(name).not.toBe("");
        expect(nameSpan.start).toBeGreaterThanOrEqual(span.start);
        expect(nameSpan.end).toBeLessThanOrEqual(span.end);
        visit(children);
      }
    };
    visit(reading().symbols);
    expect(reading().symbols.length).toBeGreaterThan(0);
  });

  it("folds blocks, lists and runs of comments", () => {
    const folds = reading().folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind]);
    expect(folds[0]).toEqual([0, 2, "comment"]);
    expect(folds).toContainEqual([3, 4, "block"]);
    expect(folds).toContainEqual([11, 13, "block"]);
  });

  it("reads VeOmni's own files: no interpolation there", () => {
    const source =
      "model:\n  model_path: ${x}\n  accelerator:\n    offload_config:\n      activation_offload_host_cache_limit_gb: 1.0\n      activation_offload_modules: [a]\ndata:\n  train_path: y\ntrain:\n  x: 1\nx: z\n";
    const found = reading(source);
    expect(found.outline.dialect).toBe("model-scoped");
    expect(found.hints.map(({ label }) => label)).toEqual(["= 1,073,741,824 bytes"]);
    expect(found.links).toEqual([]);
    expect(found.patternLists[0]?.blockPath).toBe("model.accelerator.offload_config");
  });

  it("gives what is left of a broken text, and says that it is broken", () => {
    const found = reading(text.replace("- model.layers.{*}", "- [model.layers"));
    expect(found.broken).toBe(true);
    expect(found.symbols.length).toBeGreaterThan(0);
  });
});

function slice({ start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(start, end);
}
