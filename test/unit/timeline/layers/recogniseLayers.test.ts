import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { importBytes, importText, kernel, traceBytes, traceOf } from "../import/chrome/traceSamples.js";

/** Layers of the large copies of a kind in order of start. */
function layersOf({ events }: Timeline, kind: number): number[] {
  const layers: number[] = [];
  for (let at = 0; at < events.startNs.length; at++)
    if (events.kind[at] === kind && (events.bytes[at] ?? 0) > 4e6) layers.push(events.layer[at] ?? -1);
  return layers;
}

/** Three equal steps without marks: forward and optimizer on the main thread, backward on autograd's. */
function threeSteps(layers: number): string {
  const elements: object[] = [];
  let us = 0;
  const launch = (tid: number, name: string) => {
    us += 2;
    const args = { correlation: us };
    elements.push({ ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid: 9, tid, ts: us, dur: 1, args });
    elements.push(kernel(us + 1, 1, name, { args }));
  };
  for (let step = 0; step < 3; step++) {
    for (let layer = 0; layer < layers; layer++)
      for (const name of ["norm", "qkv", "rope", "attention", "out", "up", "silu", "down"]) launch(1, name);
    launch(1, "loss");
    const args = { ph: "X", cat: "cpu_op", pid: 9, tid: 2 };
    elements.push({ ...args, name: "autograd::engine::evaluate_function: AddBackward0", ts: us + 1, dur: 1 });
    for (let layer = 0; layer < layers; layer++)
      for (const name of ["down'", "silu'", "up'", "out'", "attention'", "rope'", "qkv'", "norm'", "sum"])
        launch(2, name);
    for (let at = 0; at < 40; at++) launch(1, at % 7 === 0 ? "adam" : `adam ${at}`);
  }
  return traceOf(...elements);
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("recogniseLayers", () => {
  it.each([
    ["q8_s8k_gc_veomni", 36, "periodicity"],
    ["q06_s4k_gc_veomni_mem", 28, "periodicity"],
    ["fsdp2_q8x16_s8k_gc_veomni_rank0", 16, "annotation"],
  ] as const)("finds the layers of %s: the last one stays on the device", (name, layers, source) => {
    const { timeline } = importBytes(traceBytes(`${name}.pt.trace.json.gz`));
    expect(timeline.layerSource).toBe(source);
    expect(layersOf(timeline, EventKind.copyD2H)).toEqual(upTo(layers - 1));
    expect(layersOf(timeline, EventKind.copyH2D)).toEqual(upTo(layers - 1).reverse());
    const computed = new Set(Array.from(timeline.events.layer).filter((layer) => layer >= 0));
    expect([...computed].sort((a, b) => a - b)).toEqual(upTo(layers));
  });

  it("names layers as annotations do", () => {
    const { timeline } = importBytes(traceBytes("fsdp2_q8x16_s8k_gc_veomni_rank0.pt.trace.json.gz"));
    expect(timeline.layerNames?.slice(0, 2)).toEqual(["layers.0", "layers.1"]);
  });

  it("takes module frames of the interpreter", () => {
    const frame = (name: string, ts: number) => ({ ph: "X", cat: "python_function", name, pid: 9, tid: 9, ts, dur: 8 });
    const launch = (ts: number, correlation: number) => [
      { ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid: 9, tid: 9, ts, dur: 1, args: { correlation } },
      kernel(ts + 50, 1, "k", { args: { correlation } }),
    ];
    const { timeline } = importText(
      traceOf(
        frame("nn.Module: Qwen3DecoderLayer_0", 0),
        frame("nn.Module: Qwen3DecoderLayer_1", 10),
        ...launch(2, 1),
        ...launch(12, 2),
        ...launch(30, 3),
      ),
    );
    const { events } = timeline;
    const kernels = Array.from(events.layer).filter((_, at) => events.kind[at] === EventKind.kernel);
    expect(kernels).toEqual([0, 1, -1]);
    expect(timeline.layerSource).toBe("annotation");
  });

  it("tells backward from forward by the copies where both have as many kernels", () => {
    let correlation = 0;
    let us = 0;
    const launch = (name: string, work: object) => {
      correlation++;
      us += 2;
      const args = { correlation, bytes: 5e6 };
      return [
        { ph: "X", cat: "cuda_runtime", name: "call", pid: 9, tid: 9, ts: us, dur: 1, args },
        { ...kernel(us + 1, 1, name), ...work, args },
      ];
    };
    const copy = (direction: string) => launch(`Memcpy ${direction}`, { cat: "gpu_memcpy", tid: 21 });
    const kernels = (...names: string[]) => names.flatMap((name) => launch(name, {}));
    const forward = upTo(5).flatMap(() => [...copy("DtoH"), ...kernels("norm", "qkv", "attention", "mlp")]);
    const loss = kernels("loss");
    const backward = upTo(5).flatMap(() => [...copy("HtoD"), ...kernels("mlp'", "attention'", "qkv'", "norm'")]);
    const { timeline } = importText(traceOf(...forward, ...loss, ...backward));
    expect(layersOf(timeline, EventKind.copyD2H)).toEqual(upTo(5));
    expect(layersOf(timeline, EventKind.copyH2D)).toEqual(upTo(5).reverse());
    const layers = Array.from(timeline.events.layer).filter((_, at) => timeline.events.kind[at] === EventKind.kernel);
    expect(layers.slice(-4)).toEqual([0, 0, 0, 0]);
  });

  it("takes no repetition of steps for one of layers", () => {
    const { timeline } = importText(threeSteps(6));
    const { events } = timeline;
    const named = (name: string) =>
      Array.from(events.layer).filter((_, at) => timeline.strings[events.name[at] ?? 0] === name);
    expect(named("attention")).toEqual([...upTo(6), ...upTo(6), ...upTo(6)]);
    expect(named("attention'")).toEqual([...upTo(6).reverse(), ...upTo(6).reverse(), ...upTo(6).reverse()]);
    expect(new Set(named("adam"))).toEqual(new Set([-1]));
  });

  it("finds none in work that does not repeat", () => {
    const { timeline } = importText(traceOf(...upTo(40).map((at) => kernel(at, 0.5, `k${(at * at) % 23}`))));
    expect(timeline.layerSource).toBeNull();
  });
});
