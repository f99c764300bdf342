/*
 * Two ways of doing related work, measured in turns in one process, so that a ratio means something on any machine.
 */

export interface Comparison {
  readonly ours: string;
  readonly reference: string;
  /** Size of the input, for people: `65,000 modules, 50 patterns`. */
  readonly input: string;
  readonly run: () => unknown | Promise<unknown>;
  readonly runReference: () => unknown | Promise<unknown>;
  /** Fewer than usual where one round takes seconds. */
  readonly rounds?: number;
  /** The ratio of processor times that `npm run bench -- --assert` allows. */
  readonly mostRatio?: number;
}

export interface Measured {
  readonly ours: string;
  readonly reference: string;
  readonly input: string;
  readonly medianMs: number;
  readonly referenceMedianMs: number;
  /** Time of ours over time of the reference: below 1 is faster than the reference. */
  readonly ratio: number;
}

const warmUps = 3;
/** Short work is compiled after some hundred runs only; that is work of the first edits. */
const leastWarmMs = 400;
const usualRounds = 15;

/** Runs both sides alternately and compares their medians. */
export async function measure(comparison: Comparison): Promise<Measured> {
  const { ours, reference, input, run, runReference } = comparison;
  const times: number[] = [];
  const referenceTimes: number[] = [];
  const wanted = comparison.rounds ?? usualRounds;
  let warmMs = 0;
  for (let round = 0; round < Math.min(warmUps, wanted) || (wanted === usualRounds && warmMs < leastWarmMs); round += 1)
    warmMs += (await elapsedMs(run)) + (await elapsedMs(runReference));
  for (let round = 0; round < wanted; round += 1) {
    const time = await elapsedMs(run);
    const referenceTime = await elapsedMs(runReference);
    times.push(time);
    referenceTimes.push(referenceTime);
  }
  const medianMs = median(times);
  const referenceMedianMs = median(referenceTimes);
  return { ours, reference, input, medianMs, referenceMedianMs, ratio: medianMs / referenceMedianMs };
}

/**
 * Measures both sides in processor time, which other programs on the machine do not lengthen, and sums up enough runs per round for
 * the clock of the processor. Ratio of the medians.
 */
export async function measureCpuRatio({ run, runReference }: Comparison): Promise<number> {
  const times: number[] = [];
  const referenceTimes: number[] = [];
  // Compiling our code is work of the first edits only.
  for (let warmMs = 0; warmMs < leastWarmUpMs; ) warmMs += (await cpuMs(run, 1)) + (await cpuMs(runReference, 1));
  const repeats = Math.max(1, Math.ceil(leastRoundMs / (await cpuMs(runReference, 1))));
  for (let round = 0; round < usualRounds; round += 1) {
    const time = await cpuMs(run, repeats);
    const referenceTime = await cpuMs(runReference, repeats);
    times.push(time);
    referenceTimes.push(referenceTime);
  }
  return median(times) / median(referenceTimes);
}

const leastRoundMs = 30;
const leastWarmUpMs = 1_500;

async function cpuMs(work: () => unknown | Promise<unknown>, repeats: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < repeats; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function elapsedMs(work: () => unknown | Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
