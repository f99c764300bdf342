/*
 * A made-up trace in Kineto's dialect: a step with kernels, offloads that compute hides or not, and their reloads. Nothing
 * in it was measured.
 */

const LAYERS = 4;
const BYTES = 64 * 1024 * 1024;

type Element = Readonly<Record<string, unknown>>;

class TraceWriter {
  readonly elements: Element[] = [];
  private correlation = 100;

  constructor(private readonly device: number) {}

  host(name: string, ts: number, dur: number, tid: number, cat = "cpu_op"): void {
    this.elements.push({ ph: "X", cat, name, pid: 531, tid, ts, dur, args: {} });
  }

  onDevice(cat: string, name: string, ts: number, dur: number, stream: number, args: Element = {}): void {
    const correlation = this.correlation++;
    const launch = cat === "gpu_memcpy" ? "cudaMemcpyAsync" : "cudaLaunchKernel";
    this.elements.push(
      { ph: "X", cat: "cuda_runtime", name: launch, pid: 531, tid: 531, ts: ts - 8, dur: 3, args: { correlation } },
      { ph: "s", cat: "ac2g", name: "ac2g", id: correlation, pid: 531, tid: 531, ts: ts - 8 },
      {
        ph: "X",
        cat,
        name,
        pid: this.device,
        tid: stream,
        ts,
        dur,
        args: { device: this.device, stream, correlation, ...args },
      },
      { ph: "f", bp: "e", cat: "ac2g", name: "ac2g", id: correlation, pid: this.device, tid: stream, ts },
    );
  }
}

/**
 * JSON text of one rank; `slow` stretches its kernels. With `race` the reload of the last layer begins while its own offload
 * still runs.
 */
export function sampleTrace(rank = 0, slow = 1, race = false): string {
  const writer = new TraceWriter(rank);
  const copy = (kind: string, ts: number, dur: number, stream = 22) =>
    writer.onDevice("gpu_memcpy", `Memcpy ${kind}`, ts, dur, stream, { bytes: BYTES });
  let ts = 1_000;
  writer.host("ProfilerStep#4", ts - 50, 20_000, 531, "user_annotation");
  for (let layer = 0; layer < LAYERS; layer++) {
    writer.host(`aten::mm_${layer}`, ts - 20, 60, 531);
    for (let kernel = 0; kernel < 6; kernel++) {
      writer.onDevice("kernel", `gemm_${kernel}`, ts, 200 * slow, 7);
      ts += 200 * slow + 2;
    }
    copy("DtoH (Device -> Pinned)", ts, 1_150);
  }
  for (let layer = LAYERS - 1; layer >= 0; layer--) {
    const isEarly = race && layer === LAYERS - 1;
    copy("HtoD (Pinned -> Device)", isEarly ? ts + 600 : ts + 1_200, 1_100, isEarly ? 23 : 22);
    for (let kernel = 0; kernel < 6; kernel++) {
      writer.onDevice("kernel", `gemm_back_${kernel}`, ts, 400 * slow, 7);
      ts += 400 * slow + 2;
    }
  }
  return JSON.stringify({
    schemaVersion: 1,
    deviceProperties: [{ id: rank, name: "Example GPU" }],
    distributedInfo: { backend: "nccl", rank, world_size: 2 },
    baseTimeNanoseconds: 1_700_000_000_000_000_000,
    traceEvents: writer.elements,
  });
}

/** The trace of one rank as a file. */
export function sampleRank(number: number, slow = 1) {
  return { name: `rank${number}.pt.trace.json`, bytes: Buffer.from(sampleTrace(number, slow)) };
}
