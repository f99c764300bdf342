import { describe, expect, it } from "vitest";
import { buildEventRows } from "../../../../../src/core/timeline/columns/eventRows.js";
import { TraceImporter } from "../../../../../src/core/timeline/import/chrome/traceImporter.js";
import { codesOf, importBytes, importText, kernel, traceOf } from "./traceSamples.js";

const text = JSON.stringify;

/** Code of the problem of an import that must fail. */
function refusal(bytes: string): string | undefined {
  const importer = new TraceImporter();
  importer.push(new TextEncoder().encode(bytes));
  const finished = importer.finish();
  return finished.ok ? undefined : finished.problem.code;
}

describe("an import of a broken trace", () => {
  it.each([
    ["nothing", "", "TRACE_EMPTY"],
    ["white space", " \n\u0000 ", "TRACE_FOREIGN"],
    ["a text", "hello", "TRACE_FOREIGN"],
    ["another JSON", '{"a": [1, 2]}', "TRACE_FOREIGN"],
    ["traceEvents that are no list", '{"traceEvents": 5}', "TRACE_FOREIGN"],
    ["a key without a value", '{"traceEvents"}', "TRACE_FOREIGN"],
  ])("refuses %s", (_, bytes, code) => {
    expect(refusal(bytes)).toBe(code);
  });

  it("repairs commas, control characters, quotes and NUL bytes, and says where", () => {
    const first = text(kernel(1, 1, "a"));
    const second = text(kernel(3, 1, "b"))
      .replace('"ts"', ' "ts"')
      .replace(',"tid"', ' "tid"');
    const third = text(kernel(5, 1, "bell")).replace("bell", "c\u0007d");
    const fourth = text(kernel(7, 1, "Q")).replace('"Q"', '"say "hi" now"');
    const trace = `{"traceEvents":[${first}${second},\u0000${third},${fourth},]}`;
    const { timeline, report } = importText(trace);
    expect(Array.from(timeline.events.startNs)).toEqual([0, 2000, 4000, 6000]);
    expect(Array.from(timeline.events.name, (name) => timeline.strings[name])).toContain('say "hi" now');
    expect(codesOf(report)).toEqual({
      COMMA_MISSING: 2,
      NAME_CONTROL_CHARACTERS: 1,
      NAME_QUOTES: 1,
      SPACE_REPAIRED: 1,
    });
    expect(report.lines.find(({ code }) => code === "COMMA_MISSING")?.firstByteOffset).toBe(16 + first.length);
    expect(report).toMatchObject({ total: 4, kept: 4, dropped: 0 });
  });

  it("drops what has no usable time, and says why", () => {
    const { report, timeline } = importText(
      traceOf(
        text(kernel(1, 1)).replace('"ts":1', '"ts":1e308'),
        text(kernel(1, 1)).replace('"ts":1', '"ts":NaN'),
        text(kernel(1, 1)).replace('"ts":1', '"ts":9007199254740993'),
        text(kernel(1, 1)).replace('"dur":1', '"dur":1e308'),
        text(kernel(1, 1)).replace('"dur":1', '"dur":Infinity'),
        kernel(1, -1),
        { ph: "X", cat: "kernel", name: "no time", pid: 0, tid: 7 },
        { ph: "Q", ts: 1 },
        { name: "nothing" },
        "17",
        '"text"',
        "null",
        kernel(-5, 2, "before zero"),
      ),
    );
    expect(codesOf(report)).toEqual({
      TIME_INVALID: 3,
      DURATION_INVALID: 2,
      DURATION_NEGATIVE: 1,
      TIME_MISSING: 1,
      PHASE_MISSING: 2,
      NOT_AN_OBJECT: 3,
    });
    expect(report).toMatchObject({ total: 13, kept: 1, dropped: 12 });
    expect(timeline.strings[timeline.events.name[0] ?? 0]).toBe("before zero");
  });

  it("goes on after an element that is no JSON", () => {
    const { report, timeline } = importText(
      traceOf(kernel(1, 1), '{"ph":"X",cat:"kernel","ts":2}', kernel(3, 1), kernel(4, 1)),
    );
    expect(codesOf(report)).toEqual({ MALFORMED: 1 });
    expect(timeline.events.startNs).toHaveLength(3);
  });

  it("keeps everything before the end, wherever a trace breaks off", () => {
    const elements = [
      kernel(1, 1, 'a "b"'),
      kernel(3, 1, "é"),
      { ph: "M", name: "process_name", pid: 0, args: { name: "x" } },
    ];
    const bytes = new TextEncoder().encode(
      `{"a":[1],"traceEvents": [${elements.map((one) => text(one)).join(",\n")}],"z":{}}`,
    );
    let most = 0;
    for (let length = 0; length < bytes.length; length++) {
      const importer = new TraceImporter();
      importer.push(bytes.subarray(0, length));
      const finished = importer.finish();
      if (!finished.ok) {
        expect(finished.problem.code).toMatch(/^TRACE_(EMPTY|FOREIGN)$/);
        expect(most).toBe(0);
        continue;
      }
      const { report } = finished.value;
      expect(report.isTruncated).toBe(true);
      expect(report.kept + report.dropped).toBe(report.total);
      expect(report.kept).toBeGreaterThanOrEqual(most);
      most = report.kept;
    }
    expect(most).toBe(3);
    expect(importBytes(bytes).report).toMatchObject({ total: 3, kept: 3, isTruncated: false });
  });

  it("bounds threads, names and depth", () => {
    const threads = Array.from({ length: 20_000 }, (_, tid) => ({
      ph: "X",
      name: `n${tid % 7}`,
      pid: tid % 3,
      tid,
      ts: tid,
      dur: 1,
    }));
    const long = "x".repeat(2 ** 20);
    const deep = `{"ph":"X","cat":"kernel","name":"deep","pid":0,"tid":1,"ts":1,"dur":1,"args":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    const { timeline, report } = importText(
      traceOf(...threads, kernel(1, 1, long), deep, kernel(9, 1, "<img src=x onerror=alert(1)>")),
    );
    expect(timeline.lanes.length).toBeLessThanOrEqual(4_096);
    expect(buildEventRows(timeline.lanes, timeline.events).length).toBeLessThan(65_536);
    expect(Math.max(...timeline.strings.map((name) => name.length))).toBeLessThan(5_000);
    expect(timeline.strings).toContain("<img src=x onerror=alert(1)>");
    expect(report).toMatchObject({ total: 20_003, dropped: 0 });
    expect(codesOf(report)).toMatchObject({ NAME_CUT: 1 });
  });

  it("skips an element that is larger than any buffer, and reads on", () => {
    const importer = new TraceImporter();
    const push = (part: string) => importer.push(new TextEncoder().encode(part));
    push(`{"big":{"x":"${"y".repeat(2 ** 20)}`);
    push(`"},"traceEvents":[{"ph":"X","args":{"a":"`);
    for (let piece = 0; piece < 18; piece++) push("z]}".repeat(350_000));
    push(`"}},${text(kernel(1, 1))}]}`);
    const finished = importer.finish();
    expect(finished.ok && codesOf(finished.value.report)).toEqual({ TOO_LARGE: 1 });
    expect(finished.ok && finished.value.timeline.events.startNs.length).toBe(1);
  });

  it("takes duplicate ids for what they are", () => {
    const flow = (ph: string, ts: number) => ({ ph, cat: "fwdbwd", name: "f", id: 1, pid: 1, tid: 1, ts });
    const op = (ts: number) => ({ ph: "X", cat: "cpu_op", name: `op${ts}`, pid: 1, tid: 1, ts, dur: 1 });
    const { timeline } = importText(
      traceOf(op(0), op(2), op(4), flow("s", 0), flow("s", 0), flow("f", 2), flow("f", 4)),
    );
    expect(timeline.flows?.from.length).toBe(1);
  });
});
