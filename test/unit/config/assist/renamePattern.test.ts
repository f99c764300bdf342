import { describe, expect, it } from "vitest";
import { refusePatternName, renameEdit } from "../../../../src/core/config/assist/renamePattern.js";
import { occurrencesIn } from "../ofText.js";

/** The text after renaming every occurrence of `from`; places that cannot be changed are marked. */
function renamed(path: string, text: string, from: string, to: string): string {
  const places = occurrencesIn(path, text).filter((place) => place.text === from);
  let result = text;
  for (const place of places.toReversed()) {
    const edit = renameEdit(place, text, to);
    const newText = edit?.newText ?? "<cannot>";
    const span = edit?.span ?? place.span;
    result = result.slice(0, span.start) + newText + result.slice(span.end);
  }
  return result;
}

const engine = "actor_rollout_ref:\n  actor:\n    veomni:\n      activation_offload_modules:";

describe("renaming a pattern in YAML", () => {
  it("keeps the quotes that are there", () => {
    expect(renamed("x.yaml", `${engine} ["a.*", 'a.*', b]`, "a.*", "c.{*}")).toBe(`${engine} ["c.{*}", 'c.{*}', b]`);
  });

  it("adds quotes where YAML would misread the new name", () => {
    expect(renamed("x.yaml", `${engine} [a.*, b]`, "a.*", "c.{*}")).toBe(`${engine} ["c.{*}", b]`);
    expect(renamed("x.yaml", `${engine}\n        - a.*\n`, "a.*", "c.{*}")).toBe(`${engine}\n        - c.{*}\n`);
    expect(renamed("x.yaml", `${engine}\n        - a.*\n`, "a.*", "*.c")).toBe(`${engine}\n        - "*.c"\n`);
  });

  it("touches pattern lists only", () => {
    const text = `${engine} [a]\n      basic_modules: [a]\ndata:\n  activation_offload_modules: [a]\n`;
    expect(renamed("x.yaml", text, "a", "b")).toBe(text.replace("modules: [a]", "modules: [b]"));
  });

  it("finds nothing in other files", () => {
    expect(occurrencesIn("x.yaml", "activation_offload_modules: [a]")).toEqual([]);
    expect(occurrencesIn("x.py", `${engine} [a]`)).toEqual([]);
  });
});

describe("renaming a pattern in scripts", () => {
  const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
  const key = "actor_rollout_ref.actor.veomni.activation_offload_modules";

  it("changes the text inside both layers of quotes", () => {
    const script = `${call} '${key}=["model.layers.{*}","b"]'\n`;
    expect(renamed("run.sh", script, "model.layers.{*}", "model.blocks.{*}")).toBe(
      script.replace("model.layers.{*}", "model.blocks.{*}"),
    );
  });

  it("changes an array that two calls share once", () => {
    const script = `A=('${key}=["x.{*}"]')\n${call} "\${A[@]}"\n${call} "\${A[@]}"\n`;
    expect(renamed("run.sh", script, "x.{*}", "y.{*}")).toBe(script.replace("x.{*}", "y.{*}"));
  });

  it("refuses braces where Hydra gets no quotes", () => {
    const script = `${call} ${key}=[model.layers.0]\n`;
    expect(renamed("run.sh", script, "model.layers.0", "model.layers.1")).toBe(`${call} ${key}=[model.layers.1]\n`);
    expect(renamed("run.sh", script, "model.layers.0", "model.{*}")).toBe(`${call} ${key}=[<cannot>]\n`);
  });

  it("reads shell blocks of Markdown", () => {
    const markdown = `Text x.{*}\n\n\`\`\`bash\n${call} '${key}=["x.{*}"]'\n\`\`\`\n`;
    expect(renamed("readme.md", markdown, "x.{*}", "y.{*}")).toBe(markdown.replace('["x.{*}"]', '["y.{*}"]'));
  });
});

describe("refusePatternName", () => {
  it("takes names, globs and groups, and refuses what needs escapes", () => {
    expect(refusePatternName("model.layers.[!0-3].{*}")).toBeUndefined();
    for (const name of ["", "a b", 'a"b', "$x", "a,b", "a\nb", "a'b"]) expect(refusePatternName(name)).toBeDefined();
  });
});
