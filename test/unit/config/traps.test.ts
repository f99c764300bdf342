import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RecordedTrap } from "../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../src/core/config/check.js";

const traps: readonly RecordedTrap[] = JSON.parse(
  readFileSync(new URL("../../fixtures/config/traps.json", import.meta.url), "utf8"),
);

describe("recorded traps", () => {
  it.each(traps)("$what", ({ path, text, findings }) => {
    const checked = checkDocument(path, text);
    const found = checked?.diagnostics.map(({ severity, code }) => `${severity} ${code}`) ?? ["not checked"];
    expect(found).toEqual(findings);
  });
});
