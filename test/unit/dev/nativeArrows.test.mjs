import { describe, expect, test } from "vitest";
import { reachedFrom } from "../../../src/dev/arrows.mjs";
import { arrows, checkNativeArrows, nativeSources, wrongArrows } from "../../../src/dev/nativeArrows.mjs";

describe("arrows between native rooms", () => {
  test("the sources as they are keep them", () => {
    expect([...nativeSources()].length).toBeGreaterThan(150);
    expect(() => checkNativeArrows()).not.toThrow();
  });

  test("a planted arrow backwards is named with both rooms", () => {
    const planted = '#pragma once\n\n#include <vector>\n\n#include "engine/strategy/strategy.h"\n';
    expect(wrongArrows("engine/model/decoder_model.h", planted)).toEqual([
      "engine/model/decoder_model.h includes engine/strategy/strategy.h: engine/model may not know engine/strategy.",
    ]);
    expect(wrongArrows("engine/strategy/veomni_async.h", planted)).toEqual([]);
  });

  test("written with other spaces it is found as well; one in a comment is none", () => {
    expect(wrongArrows("cpu/row_pool.cc", '  # include "sim/sim_device.h"')).toHaveLength(1);
    expect(wrongArrows("cpu/row_pool.cc", '// see #include "sim/sim_device.h"')).toEqual([]);
  });

  test("a file outside of every room is refused, on either end", () => {
    expect(wrongArrows("engine/stray.h", "")[0]).toContain("lies in no room");
    expect(wrongArrows("cpu/row_pool.cc", '#include "engine/stray.h"')[0]).toContain("lies in no room");
  });

  test("no two rooms know each other, by whatever way", () => {
    for (const room of Object.keys(arrows)) expect([...reachedFrom(arrows, room)], room).not.toContain(room);
  });
});
