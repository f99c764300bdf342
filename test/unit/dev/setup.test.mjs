import { describe, expect, test } from "vitest";
import { matchesLock } from "../../../src/dev/setup.mjs";

const locked = {
  "": {},
  "node_modules/yaml": { version: "2.9.1" },
  "node_modules/@esbuild/linux-x64": { version: "0.28.2", optional: true },
  "node_modules/@esbuild/win32-x64": { version: "0.28.2", optional: true },
};

describe("matchesLock", () => {
  test("accepts an install without the packages of other platforms", () => {
    const installed = {
      "node_modules/yaml": { version: "2.9.1" },
      "node_modules/@esbuild/linux-x64": { version: "0.28.2" },
    };
    expect(matchesLock(installed, locked)).toBe(true);
  });

  test("refuses another version", () => {
    expect(matchesLock({ "node_modules/yaml": { version: "2.9.0" } }, locked)).toBe(false);
  });

  test("refuses another version of an optional package", () => {
    const installed = {
      "node_modules/yaml": { version: "2.9.1" },
      "node_modules/@esbuild/linux-x64": { version: "0.27.0" },
    };
    expect(matchesLock(installed, locked)).toBe(false);
  });

  test("refuses an install that lacks a package", () => {
    expect(matchesLock({}, locked)).toBe(false);
  });
});
