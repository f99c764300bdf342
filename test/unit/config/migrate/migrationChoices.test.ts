import { describe, expect, it } from "vitest";
import { migrationChoices } from "../../../../src/core/config/migrate/migrationChoices.js";
import { anyPath, fixture } from "./migratedText.js";

function choices(text: string): readonly string[] {
  return migrationChoices(anyPath, text).map(({ to, state, description }) => `${to} ${state}: ${description}`);
}

describe("migrationChoices", () => {
  it("says for every layout what a conversion would do", () => {
    expect(choices(fixture("train-scoped+async.yaml"))).toEqual([
      "flat refused: 4 keys would be lost",
      "train-scoped refused: 3 keys would be lost",
      "train-scoped+async current: nothing to do",
      "model-scoped possible: 9 lines change",
      "model-scoped+template possible: 9 lines change",
    ]);
    expect(choices(fixture("flat-fsdp1.yaml"))[1]).toMatch(
      /^train-scoped possible: \d+ lines change, 2 values adapted, 1 key without a place become comments$/,
    );
    expect(choices(fixture("train-scoped.yaml"))[1]).toBe(
      "train-scoped possible: corrects wrong keys, 2 keys without a place become comments",
    );
  });

  it("knows one target for verl, none for other files, and the reason when YAML is broken", () => {
    expect(choices(fixture("verl.yaml"))).toHaveLength(1);
    expect(choices("a: 1\n")).toEqual([]);
    expect(choices("# offload-lens: layout=flat\nmodel: {\n")[0]).toMatch(/^flat refused: The file is no sound YAML/);
  });
});
