import { describe, expect, it } from "vitest";
import { fileKindOf, isNamedLikeTrace } from "../../../../src/core/timeline/import/fileKind.js";
import { HEAD_BYTES } from "../../../../src/core/timeline/import/traceFormat.js";

/** What a file with these bytes is called; `trace` and `saved` by their kind. */
function kindOf(text: string, name = "file", isWhole = true): string {
  const head = Uint8Array.from(text, (letter) => letter.charCodeAt(0)).subarray(0, HEAD_BYTES);
  const found = fileKindOf(name, { bytes: head, isWhole });
  return found.kind === "other" ? found.what : found.kind;
}

const event = '{"ph": "X", "name": "k", "ts": 1, "dur": 1, "pid": 0, "tid": 7}';

describe("the kind of a file", () => {
  it.each([
    ["an object with events", `{"schemaVersion": 1, "traceEvents": [${event}]}`],
    ["a list of events", `[${event}]`],
    ["a list whose first element is none", `[{}, ${event}]`],
    ["a byte order mark before it", `\xef\xbb\xbf{"traceEvents": []}`],
    ["white space before it", ` \n\t{"traceEvents": []}`],
    ["names with brackets and quotes before it", `{"traceName": "a\\"]}{ \\\\", "x": [{"y": "}"}], "traceEvents": []}`],
  ])("is a trace: %s", (_, text) => {
    expect(kindOf(text)).toBe("trace");
  });

  it("is a trace where a long header pushes the events out of sight", () => {
    const header = `{"schemaVersion": 1, "distributedInfo": {"pg_config": [${'{"ranks": [1]},'.repeat(9_000)}`;
    expect(header.length).toBeGreaterThan(HEAD_BYTES);
    expect(kindOf(header, "rank0.json", false)).toBe("trace");
    expect(kindOf('{"distributedInfo": {"rank": 0}}', "rank0.json", true)).toBe("JSON without trace events");
  });

  it("does not take a member of another object, or a text, for the events", () => {
    expect(kindOf('{"a": {"traceEvents": []}}')).toBe("JSON without trace events");
    expect(kindOf('{"a": "traceEvents", "b": "\\"traceEvents\\": ["}')).toBe("JSON without trace events");
  });

  it.each([
    ["[[-1, 1, 37888, 7], [-1, 1, 512, 7]]", "the memory timeline of torch.profiler"],
    ["[ [168, 169], [[0, 1], [2, 3]] ]", "the memory timeline of torch.profiler"],
    [
      "<!DOCTYPE html><html><img src='data:image/png;base64,AA'>",
      "a page with a picture, as torch.profiler writes its memory timeline",
    ],
    ["<html></html>", "a page in HTML"],
    [
      '{"schema": "1.1.1-chakra.0.0.4", "pid": 1, "nodes": []}',
      "an execution trace of PyTorch (operators and tensors, without times on a device)",
    ],
    ['{"nodes": [], "startTime": 1, "samples": []}', "a CPU profile of V8"],
    ['{"rocprofiler-sdk-tool": []}', "output of rocprofiler in a form of its own"],
    ['{"segments": [], "device_traces": []}', "a snapshot of the CUDA memory allocator"],
    ["\x80\x04\x95\x00", "a Python pickle, such as a snapshot of the CUDA memory allocator"],
    ["PK\x03\x04....", "a zip archive"],
    ["\x1f\x8b\x08\0", "compressed twice"],
    ["\x28\xb5\x2f\xfd\x04", "compressed twice"],
    ["SQLite format 3\0", "a database, as Nsight Systems and rocprofiler write them"],
    ["\x89PNG\r\n", "a picture"],
    ["\x0a\x04\x40\x01\x50\x01\x0a\x03\x40\x02\x48", "a binary trace of Perfetto (protobuf)"],
    ["version https://git-lfs.github.com/spec/v1\noid sha256:0", "a pointer of Git LFS, not the file itself"],
    ["", "empty"],
    [" \n\0\0", "empty"],
    ["\xff\xfe[\0", "a text in UTF-16"],
    ["step,ms\n1,2\n", "a text that is no JSON"],
    ["\x7fELF\x02\x01\x01", "a binary file"],
    ['[{"file": "a"}]', "a list without a single event"],
    ["[1, 2]", "a list without a single event"],
  ])("of %j is told by its content", (text, what) => {
    expect(kindOf(text)).toBe(what);
  });

  it("of a report of Nsight is told by its name", () => {
    expect(kindOf("anything", "run.nsys-rep")).toBe("a report of NVIDIA Nsight");
    expect(kindOf("OFFLPROF", "a.json")).not.toBe("trace");
  });

  it("is lost where the content is not there", () => {
    const lost = (text: string) =>
      fileKindOf("rank0.json", { bytes: Uint8Array.from(text, (c) => c.charCodeAt(0)), isWhole: true });
    expect(lost("")).toMatchObject({ isLost: true });
    expect(lost("version https://git-lfs.github.com/spec/v1\n")).toMatchObject({ isLost: true });
    expect(lost("[[1, 2, 3, 4]]")).not.toHaveProperty("isLost");
  });
});

describe("names like those of traces", () => {
  it.each([
    ["actor_actor-update_step2_rank0-of-2_pid10_20260901101112123.json.gz", true],
    ["rank-0.json.gz", true],
    ["host_12.1700000000.pt.trace.json", true],
    ["trace_view.json", true],
    ["config.json", false],
    ["memory.html", false],
  ])("%s: %s", (name, isNamed) => {
    expect(isNamedLikeTrace(name)).toBe(isNamed);
  });
});
