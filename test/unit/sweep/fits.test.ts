import { describe, expect, it } from "vitest";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import type { ProfileRequest } from "../../../src/core/profile/request.js";
import { type FitJob, runFits } from "../../../src/core/sweep/fits.js";
import { RESERVED_SHARE } from "../../../src/core/sweep/fragmentation.js";
import { sampleResult, sampleRun } from "../profile/sampleResult.js";

const PARAMETERS = 800_000;

/** Parameters over the ranks, a byte for each token of a row, and a tenth less of them with offload. */
function peakOf({ seqLens = [1], microBatch = 1, worldSize = 1, sequenceParallel = 1, strategies }: ProfileRequest) {
  const tokens = ((seqLens[0] ?? 1) * microBatch) / sequenceParallel;
  return PARAMETERS / worldSize + tokens * (strategies?.[0] === "none" ? 1 : 0.9);
}

function simulated(refused: (request: ProfileRequest) => boolean = () => false) {
  const requests: ProfileRequest[] = [];
  const simulate = async (request: ProfileRequest) => {
    requests.push(request);
    if (refused(request)) return fail<never>({ code: "REFUSED", message: "m", nextStep: "n" });
    const [strategy = "none" as const] = request.strategies ?? [];
    return succeed(sampleResult([sampleRun({ strategy, peakBytes: peakOf(request) })]));
  };
  return { simulate, requests };
}

function job(given: Partial<FitJob> = {}): FitJob {
  return {
    base: {
      configJson: "{}",
      device: "sim:H200",
      seqLens: [4096],
      worldSize: 8,
      optimizer: "adamw_fused",
      accumulation: 1,
    },
    microBatch: 2,
    isPacked: false,
    gradientCheckpointing: true,
    patterns: [],
    cacheLimitGb: 4,
    canOffload: true,
    ...given,
  };
}

/** Room for 131,072 tokens beside an eighth of the parameters, without a margin. */
const budget = PARAMETERS / 8 + 131_072;

async function fitsOf(given: Partial<FitJob> = {}) {
  const { simulate, requests } = simulated();
  const fits = await runFits(simulate, job(given), budget);
  if (!fits.ok) throw new Error(fits.problem.message);
  return { ...fits.value, requests };
}

describe("what fits a memory", () => {
  it("is the largest batch, the longest sequence and the fewest ranks, without and with offload", async () => {
    const { answers, unit } = await fitsOf();
    expect(unit).toBe("sequences");
    const [without, offloaded] = answers;
    expect(without?.microBatch.barely).toBe(32);
    expect(offloaded?.microBatch.barely).toBe(35);
    expect(without?.ranks.barely).toBe(4);
    for (const answer of answers) {
      const { surely, barely } = answer.sequence;
      expect(surely).toBeLessThan(barely ?? 0);
      const perToken = answer.strategy === "none" ? 1 : 0.9;
      const room = budget / RESERVED_SHARE.most - PARAMETERS / 8;
      // Found to one part in 64, and never above.
      expect((surely ?? 0) * perToken).toBeLessThanOrEqual(room);
      expect((surely ?? 0) * perToken).toBeGreaterThan(room * (1 - 1 / 32));
    }
  });

  it("of a packed row is its tokens on one GPU, with sequences as long as before", async () => {
    const base = { ...job().base, sequenceParallel: 2, packedTokens: 4096 };
    const { answers, unit, sequenceTokens, requests } = await fitsOf({ base, isPacked: true, microBatch: 1 });
    expect([unit, sequenceTokens]).toEqual(["tokens", 2048]);
    const [without] = answers;
    expect(without?.microBatch.barely).toBeGreaterThan(131_072 * (1 - 1 / 32));
    expect(without?.microBatch.barely).toBeLessThanOrEqual(131_072);
    // Over both ranks that share it.
    expect(without?.sequence.barely).toBe((without?.microBatch.barely ?? 0) * 2);
    expect(requests.every(({ packedTokens = 0, seqLens = [] }) => packedTokens <= (seqLens[0] ?? 0))).toBe(true);
  });

  it("takes two micro-batches for one where there are fewer ranks", async () => {
    const { requests } = await fitsOf();
    const accumulations = new Map(requests.map(({ worldSize, accumulation }) => [worldSize, accumulation]));
    expect([accumulations.get(4), accumulations.get(8)]).toEqual([2, 1]);
  });

  it("has no offload where the engine that trains has none", async () => {
    const { answers } = await fitsOf({ canOffload: false });
    expect(answers.map(({ strategy }) => strategy)).toEqual(["none"]);
  });

  it("may be nothing at all", async () => {
    const { simulate } = simulated();
    const fits = await runFits(simulate, job({ canOffload: false }), 10);
    expect(fits.ok && fits.value.answers[0]).toMatchObject({
      microBatch: { surely: null, barely: null },
      sequence: { surely: null, barely: null },
      ranks: { surely: null, barely: null },
    });
  });

  it("does not go beyond what the engine takes", async () => {
    const { simulate } = simulated(({ microBatch = 1 }) => microBatch > 20);
    const fits = await runFits(simulate, job({ canOffload: false }), budget);
    expect(fits.ok && fits.value.answers[0]?.microBatch).toEqual({ surely: 18, barely: 20 });
  });

  it("fails where the job itself cannot be simulated, and when it is cancelled", async () => {
    const { simulate } = simulated(() => true);
    expect(await runFits(simulate, job(), budget)).toMatchObject({ ok: false, problem: { code: "REFUSED" } });
    const { simulate: running, requests } = simulated();
    const cancelled = await runFits(running, job(), budget, () => requests.length >= 4);
    expect(cancelled).toMatchObject({ ok: false, problem: { code: "CANCELLED" } });
    expect(requests).toHaveLength(4);
  });
});
