import { expect, it } from "vitest";
import { fileRemarks } from "../../../../src/core/timeline/query/fileRemarks.js";
import { importText, kernel, traceOf } from "../import/chrome/traceSamples.js";

it("has nothing to say of a whole file, whatever its elements are", () => {
  expect(fileRemarks(importText(traceOf(kernel(1, 2), { ph: "?" })).report)).toEqual([]);
});

it("says first that the file is cut off, then what follows or is wrong", () => {
  const text = traceOf(kernel(1, 2));
  const followed = importText(`${text} ${text}`).report;
  expect(fileRemarks(followed)).toEqual([expect.stringMatching(/^More text follows .*Split the file/)]);
  const damaged = followed.lines.map((line) => ({ ...line, code: "CHECKSUM_WRONG" }));
  expect(fileRemarks({ isTruncated: true, lines: [...followed.lines, ...damaged] })).toEqual([
    expect.stringMatching(/^It is cut off/),
    expect.stringMatching(/^More text follows/),
    expect.stringMatching(/^The checksum .* Copy the file again/),
  ]);
});
