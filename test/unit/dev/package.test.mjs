import { describe, expect, it } from "vitest";
import { checkContents, nativeParts, required } from "../../../src/dev/package.mjs";

const filesOf = (...names) => names.flat().map((name) => ({ name }));
const [addon] = nativeParts;

describe("checkContents", () => {
  it("takes a package with the native parts for one platform, and without them for all", () => {
    checkContents(filesOf(required, nativeParts, "extension/media/python/dump_modules.py"), false);
    checkContents(filesOf(required), true);
  });

  it("refuses native files in the package for all platforms", () => {
    expect(() => checkContents(filesOf(required, addon), true)).toThrow(`nobody asked for: ${addon}`);
    expect(() => checkContents(filesOf(required, "extension/dist/native/more.so"), true)).toThrow("more.so");
  });

  it("refuses a package for one platform without the engine, and files that nobody asked for", () => {
    expect(() => checkContents(filesOf(required), false)).toThrow(`lacks ${addon}`);
    expect(() => checkContents(filesOf(required, "extension/src/core/outcome.ts"), true)).toThrow("outcome.ts");
  });
});
