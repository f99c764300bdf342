import { describe, expect, it } from "vitest";
import { type Launch, pathFrom, type Start, startOf } from "../../../../src/core/config/document/launch.js";

const launch = (file: string, more: Partial<Launch> = {}): Launch => ({
  ...{ script: "/home/x/repo/scripts/run.sh", line: 1, file, isTail: false, keys: [], isComplete: true },
  ...more,
});

describe("startOf", () => {
  it.each<[Launch, string, Start]>([
    [launch("configs/a.yaml"), "/home/x/repo/configs/a.yaml", "certain"],
    [launch("./configs/../configs/a.yaml"), "/home/x/repo/configs/a.yaml", "certain"],
    [launch("a.yaml"), "/home/x/repo/scripts/a.yaml", "certain"],
    [launch("../configs/a.yaml"), "/home/x/repo/configs/a.yaml", "certain"],
    [launch("/data/a.yaml"), "/data/a.yaml", "certain"],
    [launch("C:\\data\\a.yaml"), "C:/data/a.yaml", "certain"],
    [launch("configs/a.yaml"), "/home/x/repo/configs/b.yaml", "none"],
    [launch("a.yaml"), "/home/x/repo/configs/a.yaml", "none"],
    [launch("/data/a.yaml"), "/home/data/a.yaml", "none"],
    [launch("configs/a.yaml", { isComplete: false }), "/home/x/repo/configs/a.yaml", "possible"],
    [launch("/configs/a.yaml", { isTail: true }), "/elsewhere/configs/a.yaml", "possible"],
    [launch("-a.yaml", { isTail: true }), "/elsewhere/b-a.yaml", "none"],
    [launch("/other/a.yaml", { isTail: true }), "/elsewhere/configs/a.yaml", "none"],
  ])("%j %s", (each, path, expected) => {
    expect(startOf(each, path)).toBe(expected);
  });
});

describe("pathFrom", () => {
  it.each([
    ["/a/b/c.yaml", "/a/b/run.sh", "run.sh"],
    ["/a/b/c.yaml", "/a/run.sh", "../run.sh"],
    ["/a/b/c.yaml", "/a/d/e/run.sh", "../d/e/run.sh"],
    ["/c.yaml", "/x/run.sh", "x/run.sh"],
  ])("from %s, %s is %s", (file, script, expected) => {
    expect(pathFrom(file, script)).toBe(expected);
  });
});
