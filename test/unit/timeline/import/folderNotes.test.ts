import { expect, it } from "vitest";
import {
  folderNotes,
  type OtherFile,
  type TraceFolder,
  withoutTraces,
} from "../../../../src/core/timeline/import/folderNotes.js";

const other = (path: string, what = "a text", nextStep = "Open another."): OtherFile => ({ path, what, nextStep });
const folder = (given: Partial<TraceFolder>): TraceFolder => ({
  traces: [],
  others: [],
  isCut: false,
  unopened: 0,
  ...given,
});

it("has nothing to say where only traces are", () => {
  expect(folderNotes(folder({ traces: ["a.json"] }))).toEqual([]);
});

it("says one sentence a kind, the most frequent first, with three names", () => {
  const others = [other("x", "a snapshot"), ...["a", "b", "c", "d", "e"].map((name) => other(name))];
  expect(folderNotes(folder({ others }))).toEqual([
    "5 files not opened (a, b, c and 2 more): a text.",
    "1 file not opened (x): a snapshot.",
  ]);
});

it("does not let a name begin a line of its own", () => {
  expect(folderNotes(folder({ others: [other("a\n::error::b")] }))[0]).not.toContain("\n");
});

it("counts what was not opened, and says that not all was listed", () => {
  const notes = folderNotes(folder({ unopened: 1, isCut: true }));
  expect(notes).toEqual([
    expect.stringMatching(/^1 file more not opened.*further down\.$/),
    expect.stringMatching(/^There are more files than were listed/),
  ]);
});

it("without traces names what to do about the most frequent kind", () => {
  const others = [other("x", "a snapshot", "Open it elsewhere."), other("y"), other("z")];
  expect(withoutTraces("run", folder({ others }))).toMatchObject({
    code: "FOLDER_WITHOUT_TRACES",
    message: "run holds no traces.",
    nextStep: "Open another.",
  });
  expect(withoutTraces("run", folder({}))).toMatchObject({ cause: "No file is in it." });
});
