import { describe, expect, it } from "vitest";
import {
  isFolded,
  laneKey,
  moveKey,
  NO_ARRANGEMENT,
  orderKeys,
  readArrangement,
  setFolded,
  togglePinned,
} from "../../../../src/core/timeline/columns/laneOrder.js";

const USUAL = ["compute", "d2h", "h2d", "host"];

describe("the order of lanes", () => {
  it("is the usual one until the user moves something", () => {
    expect(orderKeys(USUAL, NO_ARRANGEMENT)).toEqual(USUAL);
  });

  it("moves a lane by one place and stops at the ends", () => {
    const once = moveKey(USUAL, NO_ARRANGEMENT, "h2d", -1);
    expect(orderKeys(USUAL, once)).toEqual(["compute", "h2d", "d2h", "host"]);
    const twice = moveKey(USUAL, once, "h2d", -1);
    expect(orderKeys(USUAL, twice)).toEqual(["h2d", "compute", "d2h", "host"]);
    expect(moveKey(USUAL, twice, "h2d", -1)).toEqual(twice);
    expect(moveKey(USUAL, twice, "no lane", 1)).toEqual(twice);
  });

  it("keeps pinned lanes on top and moves them among themselves", () => {
    const pinned = togglePinned(togglePinned(NO_ARRANGEMENT, "host"), "d2h");
    expect(orderKeys(USUAL, pinned)).toEqual(["host", "d2h", "compute", "h2d"]);
    expect(orderKeys(USUAL, moveKey(USUAL, pinned, "d2h", -1))).toEqual(["d2h", "host", "compute", "h2d"]);
    expect(orderKeys(USUAL, togglePinned(pinned, "host"))).toEqual(["d2h", "compute", "h2d", "host"]);
  });

  it("moves a loose lane over its visible neighbour although a pinned one lies between", () => {
    const pinned = togglePinned(NO_ARRANGEMENT, "d2h");
    expect(orderKeys(USUAL, moveKey(USUAL, pinned, "h2d", -1))).toEqual(["d2h", "h2d", "compute", "host"]);
  });

  it("gives lanes that the arrangement does not know their usual place", () => {
    const moved = moveKey(USUAL, NO_ARRANGEMENT, "host", -1);
    expect(orderKeys(["compute", "d2h", "h2d", "nccl", "host"], moved)).toEqual([
      "compute",
      "d2h",
      "host",
      "nccl",
      "h2d",
    ]);
    expect(orderKeys(["compute", "host"], moved)).toEqual(["compute", "host"]);
  });
});

describe("folding", () => {
  it("follows the user where he decided, else the given start", () => {
    const folded = setFolded(NO_ARRANGEMENT, "host", false);
    expect(isFolded(folded, "host", true)).toBe(false);
    expect(isFolded(folded, "other", true)).toBe(true);
    expect(isFolded(folded, "constructor", false)).toBe(false);
  });
});

describe("keys and storage", () => {
  it("tells devices, roles and streams apart", () => {
    const keys = [
      laneKey({ role: "compute", stream: "7", device: 2 }, [2, 3]),
      laneKey({ role: "compute", stream: "7", device: 3 }, [2, 3]),
      laneKey({ role: "d2h", stream: "7", device: 2 }, [2, 3]),
      laneKey({ role: "host", stream: "7" }, [2, 3]),
    ];
    expect(new Set(keys).size).toBe(4);
  });

  it("names the lanes of two ranks alike, whatever the numbers of their devices", () => {
    const ofRank = (device: number) => laneKey({ role: "d2h", stream: "22", device }, [device]);
    expect(ofRank(1)).toBe(ofRank(0));
  });

  it("reads back what it stored, and nothing that does not fit", () => {
    const arrangement = setFolded(togglePinned(moveKey(USUAL, NO_ARRANGEMENT, "host", -1), "d2h"), "host", true);
    expect(readArrangement(structuredClone(arrangement))).toEqual(arrangement);
    expect(readArrangement({ pinned: "d2h", folded: { a: 1, b: true }, order: [1, "x"] })).toEqual({
      pinned: [],
      folded: { b: true },
      order: ["x"],
    });
    expect(readArrangement(7)).toEqual(NO_ARRANGEMENT);
  });
});
