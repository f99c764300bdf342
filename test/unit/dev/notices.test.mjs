import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkNativeHeaders, nativeNotices, noticesOf, packagesOf, unknownHeaders } from "../../../src/dev/notices.mjs";

let base;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "offload-lens-notices-"));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path, text) {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function putPackage(name, more = {}) {
  put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.2.3", license: "MIT", ...more }));
}

describe("packagesOf", () => {
  test("names each package once, also those with a scope and inside others", () => {
    const inputs = [
      "src/core/base/table.ts",
      "node_modules/yaml/dist/index.js",
      "node_modules/yaml/dist/more.js",
      "node_modules/@one/two/dist/esm/a.js",
      "node_modules/@one/two/node_modules/tslib/tslib.es6.js",
      "../../elsewhere/node_modules/diff/a.js",
    ];
    expect(packagesOf(inputs)).toEqual([
      "node_modules/@one/two",
      "../../elsewhere/node_modules/diff",
      "node_modules/@one/two/node_modules/tslib",
      "node_modules/yaml",
    ]);
  });
});

describe("noticesOf", () => {
  test("has name, version, author and every licence text of a package", () => {
    putPackage("a", { author: { name: "Some Body" } });
    put("node_modules/a/LICENSE.md", "text of a\n");
    putPackage("b");
    put("node_modules/b/COPYING", "text of b");
    put("node_modules/b/CopyrightNotice.txt", "(c) b");
    const text = noticesOf(["node_modules/a", "node_modules/b"], base);
    expect(text).toContain("a 1.2.3 (MIT) by Some Body\n\ntext of a\n");
    expect(text).toContain("text of b\n\n(c) b");
  });

  test("stops at a package without a text, naming it", () => {
    putPackage("a");
    put("node_modules/a/LICENSE", "text");
    putPackage("@s/bare");
    put("node_modules/@s/bare/README.md", "MIT License");
    expect(() => noticesOf(["node_modules/a", "node_modules/@s/bare"], base)).toThrow("no licence text of @s/bare");
  });

  test("takes a text that another package carries in its notices", () => {
    putPackage("kit");
    put("node_modules/kit/LICENSE", "text of kit");
    const carried =
      "for the parts:\n\n---\n\n@s/bare 1.0.0 - MIT\nhttps://example.org\n\n(c) bare\n\n---\n\n---\n\nmore 2.0 - MIT\n";
    put("node_modules/kit/NOTICES", carried);
    putPackage("@s/bare");
    expect(noticesOf(["node_modules/kit", "node_modules/@s/bare"], base)).toMatch(
      /@s\/bare 1\.2\.3 \(MIT\)\n\n\(c\) bare$/,
    );
  });

  test("has a text for all that the bundles may hold today", () => {
    const folders = ["yaml", "zod", "diff", "@vscode/webview-ui-toolkit", "@microsoft/fast-element"];
    const text = noticesOf(folders.map((name) => `node_modules/${name}`));
    for (const name of folders) expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(text.match(/Permission is hereby granted/gi)?.length).toBeGreaterThan(2);
  });
});

describe("nativeNotices", () => {
  test("has what concerns the headers of a library, and stops where that is not installed", () => {
    const expat = "License: Expat\n Permission is hereby granted";
    const files = ["Files: *\nCopyright: A\nLicense: Expat", "Files: tests/x\nCopyright: T\nLicense: Other"];
    put("nlohmann-json3-dev/copyright", ["Format: 1", ...files, expat, "License: Other\n other"].join("\n\n"));
    const text = nativeNotices(base);
    expect(text).toContain(`Copyright: A\nLicense: Expat\n\n${expat}`);
    expect(text).not.toContain("other");
    expect(text).toContain("node-addon-api");
    expect(() => nativeNotices(join(base, "nowhere"))).toThrow("no licence text of nlohmann-json");
  });
});

describe("headers of the native parts", () => {
  const known =
    "a.o: /usr/include/nlohmann/json.hpp \\\n /usr/include/c++/12/string /usr/include/stdio.h ../native/a.h";

  test("belong to libraries with a licence", () => {
    expect(unknownHeaders(known)).toEqual([]);
    expect(unknownHeaders(`${known} /usr/include/fmt/core.h /opt/x/include/y.h`)).toEqual([
      "/usr/include/fmt",
      "/opt/x/include",
    ]);
  });

  test("stop the packaging otherwise; tests may use what they want", () => {
    put("CMakeFiles/native_tests.dir/a.cc.o.d", "a.o: /usr/include/doctest/doctest.h");
    put("CMakeFiles/addon.dir/a.cc.o.d", known);
    checkNativeHeaders(base);
    put("CMakeFiles/addon.dir/b.cc.o.d", "b.o: /usr/include/fmt/core.h");
    expect(() => checkNativeHeaders(base)).toThrow("/usr/include/fmt");
  });
});
