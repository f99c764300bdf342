import { describe, expect, it } from "vitest";
import { packColumns } from "../../../src/timelineWorker/packedAnswer.js";

describe("packColumns", () => {
  it("puts columns of all types into one buffer and leaves the rest as it is", () => {
    const value = {
      names: ["a", "b"],
      nothing: null,
      parts: [
        { floats: Float64Array.of(1.5, -2), octets: Uint8Array.of(7), count: 3 },
        {
          words: Uint32Array.of(4e9),
          signed: Int32Array.of(-1),
          shares: Float32Array.of(0.5),
          none: new Float64Array(),
        },
      ],
    };
    const { value: packed, transfer } = packColumns(value);
    expect(packed).toEqual(value);
    expect(transfer).toHaveLength(1);
    const columns = packed.parts.flatMap((part) => Object.values(part)).filter((member) => ArrayBuffer.isView(member));
    expect(columns.every((column) => column.buffer === transfer[0] && column.byteOffset % 8 === 0)).toBe(true);
  });
});
