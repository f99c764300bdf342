import { describe, expect, it } from "vitest";
import { migrationChoices } from "../../../../src/core/config/migrate/migrationChoices.js";
import { anyPath, fixture } from "./migratedText.js";

function choices(text: string): readonly string[] {
  return migrationChoices(anyPath, text).map(({ to, state, description }) => `${to} ${state}: ${description}`);
}

describe("migrationChoices", () => {
  it("says for every layout what a conversion would do", () => {
    expect(choices(fixture("train-scoped+async.yaml"))).toEqual([
      "flat refused: older, 4 keys would be lost",
      "train-scoped refused: older, 3 keys would be lost",
      "train-scoped+async current: nothing to do",
      "model-scoped possible: 9 lines change",
      "model-scoped+template possible: 9 lines change",
    ]);
    expect(choices(fixture("flat-fsdp1.yaml"))[1]).toMatch(
      /^train-scoped possible: \d+ lines change, 2 values adapted, 1 key without a place becomes a comment$/,
    );
    expect(choices(fixture("train-scoped.yaml"))[1]).toBe(
      "train-scoped possible: corrects wrong keys, 2 keys without a place become comments",
    );
  });

  it("names targets for people, each with the versions that read it", () => {
    const named = [fixture("flat.yaml"), fixture("verl.yaml")].flatMap((text) => migrationChoices(anyPath, text));
    expect(new Set(named.map(({ name }) => name)).size).toBe(6);
    for (const { to, name, versions } of named) {
      expect(name).not.toContain(to === "verl" ? "engine" : to);
      expect(versions).toMatch(/^(?:VeOmni|verl) .*#\d+/);
    }
  });

  it("says that files are converted forwards only where no key would be lost", () => {
    const text =
      "model: {model_path: m}\ndata: {train_path: d, chat_template: x}\ntrain: {accelerator: {ep_size: 2}}\n";
    expect(choices(`# offload-lens: layout=model-scoped\n${text}`)[1]).toBe(
      "train-scoped refused: older; files are converted forwards only",
    );
  });

  it("knows one target for verl, none for other files, and the reason when YAML is broken", () => {
    expect(choices(fixture("verl.yaml"))).toHaveLength(1);
    expect(choices("a: 1\n")).toEqual([]);
    expect(choices("# offload-lens: layout=flat\nmodel: {\n")[0]).toMatch(/^flat refused: The file is no sound YAML/);
  });
});
