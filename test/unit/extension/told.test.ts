import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";

const said = vi.hoisted((): unknown[][] => []);
vi.mock("vscode", () => ({
  window: {
    showInformationMessage: (...words: unknown[]) => said.push(words),
    showErrorMessage: (...words: unknown[]) => said.push(words),
    setStatusBarMessage: (...words: unknown[]) => said.push(words),
  },
}));
const { pickable, tell, tellError, tellInStatusBar } = await import("../../../src/extension/told.js");

const name = "a\u202eb\n\u200bc\u2028";
const shown = "a\\u202eb\\u000a\\u200bc\\u2028";

describe("what is told", () => {
  it("has nothing unseen in it", () => {
    tell(name);
    void tellError(name, "Show Log");
    tellInStatusBar(name, 3);
    expect(said).toEqual([[shown], [shown, "Show Log"], [shown, 3]]);
    expect(pickable([{ label: name, description: name, detail: name, value: name }, { label: "b" }])).toEqual([
      { label: shown, description: shown, detail: shown, value: name },
      { label: "b" },
    ]);
  });

  it("is told nowhere else", () => {
    const files = readdirSync("src/extension", { recursive: true, encoding: "utf8" });
    const others = files.filter((file) => {
      if (!file.endsWith(".ts") || file === "told.ts") return false;
      const text = readFileSync(join("src/extension", file), "utf8");
      return /\.(show(Information|Warning|Error)Message|setStatusBarMessage)\(|showQuickPick\((?!pickable\()/.test(
        text,
      );
    });
    expect(others).toEqual([]);
  });
});

describe("pages", () => {
  it("write texts through kit/element alone", () => {
    const files = readdirSync("src/webview", { recursive: true, encoding: "utf8" });
    const others = files.filter(
      (file) =>
        file.endsWith(".ts") &&
        file !== join("kit", "element.ts") &&
        /\.(textContent|innerText|innerHTML|title) = /.test(readFileSync(join("src/webview", file), "utf8")),
    );
    expect(others).toEqual([]);
  });
});
