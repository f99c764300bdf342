import { describe, expect, it } from "vitest";
import { readTraceContainer } from "../../../../src/core/timeline/container/readTraceContainer.js";
import { traceContainer } from "../../../../src/core/timeline/container/traceContainer.js";
import { digested, importBytes, importText, traceBytes } from "../import/chrome/traceSamples.js";

function saved(name: string, trace = importBytes(traceBytes(`${name}.pt.trace.json.gz`))): Uint8Array {
  return new Uint8Array(Buffer.concat([...traceContainer([{ fileName: `${name} \ud800 ü`, ...trace }])]));
}

describe("saved traces", () => {
  it.each(["q06_s4k_gc_veomni_mem", "fsdp2_q8x16_s8k_gc_veomni_rank1"])("give %s back as it was", (name) => {
    const trace = importBytes(traceBytes(`${name}.pt.trace.json.gz`));
    const bytes = saved(name, trace);
    const read = readTraceContainer(bytes);
    expect(digested(read.ok && read.value[0]?.timeline)).toEqual(digested(trace.timeline));
    expect(read.ok && read.value[0]?.report).toEqual(trace.report);
  });

  it.each(["p", "\u00fc\u0001\\"])("are read though a trace held texts of many %j", (letters) => {
    const long = letters.repeat(6_000);
    const event = { ph: "X", ts: 1, dur: 2, name: `ProfilerStep#1${long}`, pid: long, tid: `t${long}` };
    const named = (name: string) => ({ ph: "M", name, pid: 7, tid: 8, args: { name: long, labels: long } });
    const trace = importText(
      JSON.stringify({
        deviceProperties: [{ id: 0, name: long }],
        traceEvents: [
          { ...event, cat: "kernel", args: { device: 0, stream: 7 } },
          { ...event, cat: "user_annotation" },
          { ...event, cat: long, pid: 7, tid: 8 },
          ...["process_name", "process_labels", "thread_name"].map(named),
          { ...event, ts: 2 },
        ],
      }),
    );
    expect(Math.max(...trace.timeline.lanes.map(({ stream }) => stream.length))).toBeGreaterThan(1_000);
    const read = readTraceContainer(saved("long", trace));
    expect(read.ok ? "" : read.problem.cause).toBe("");
    expect(digested(read.ok && read.value[0]?.timeline)).toEqual(digested(trace.timeline));
  });

  it("that are cut off or changed are a problem or sound columns", () => {
    const bytes = saved("fsdp2_q8x16_s8k_gc_veomni_rank0");
    const headerEnd = 16 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(8, true));
    for (const length of [0, 7, 15, 16, headerEnd - 1, headerEnd + 100, bytes.length - 9]) {
      const read = readTraceContainer(bytes.slice(0, length));
      expect(read.ok ? "" : read.problem.code).toMatch(/^CONTAINER_(TRUNCATED|INVALID)$/);
    }
    for (let at = headerEnd + 8; at < bytes.length; at += 99_991) {
      const changed = bytes.slice();
      changed.fill(0xff, at, at + 8);
      const read = readTraceContainer(changed);
      if (!read.ok) continue;
      const [trace] = read.value;
      const { flows, events, lanes, strings } = trace?.timeline ?? {};
      const count = events?.startNs.length ?? 0;
      expect(flows?.to.every((event) => event < count)).toBe(true);
      expect(events?.lane.every((lane) => lane < (lanes?.length ?? 0))).toBe(true);
      expect(events?.name.every((name) => name < (strings?.length ?? 0))).toBe(true);
    }
  });
});
