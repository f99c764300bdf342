import { describe, expect, it } from "vitest";
import { formatReport } from "../../../../src/cli/report/profileReport.js";
import type { ProfileRun } from "../../../../src/core/profile/result.js";
import { sampleOffloadRun, sampleResult, sampleRun } from "../../profile/sampleResult.js";

/** The cells of the first table line that starts with `label`. */
function line(report: string, label: string): readonly string[] {
  const found = report.split("\n").find((candidate) => candidate.startsWith(label));
  return (found ?? "").slice(label.length).trim().split(/ {2,}/);
}

describe("formatReport", () => {
  const report = formatReport(sampleResult([sampleRun(), sampleOffloadRun]));

  it("says what ran where", () => {
    expect(report).toContain("Qwen3ForCausalLM (qwen3), 4 layers, hidden 64");
    expect(report).toContain("cpu: Test CPU, measured; matrix products: built-in");
    expect(report).toContain("sequence 256, micro-batch 2, 3 steps, of them 1 warm-up");
  });

  it("has one column per run, with units", () => {
    expect(line(report, "step, median")).toEqual(["20.0 ms", "22.0 ms"]);
    expect(line(report, "after forward, over static")).toEqual(["2.00 MiB", "1.00 MiB"]);
    expect(line(report, "peak")).toEqual(["8.00 MiB", "8.00 MiB"]);
    expect(line(report, "pinned, peak")).toEqual(["0 B", "192 KiB"]);
    expect(line(report, "D2H copies")).toEqual(["none", "3 x 64.0 KiB, 1.64 GB/s"]);
    expect(line(report, "  hidden")).toEqual(["0 ns", "90.0 us (75 %)"]);
    expect(line(report, "  exposed")).toEqual(["0 ns", "30.0 us"]);
    expect(line(report, "pool reuses")).toEqual(["-", "6"]);
    expect(line(report, "gradients equal to baseline")).toEqual(["not compared", "yes, bitwise"]);
  });

  it("compares with the baseline of the same checkpointing only", () => {
    const measured = (strategy: ProfileRun, samples: number[]) => ({
      ...strategy,
      stepMs: { median: samples[1] ?? 0, samples, stable: true },
    });
    const against = (samples: number[]) =>
      line(
        formatReport(sampleResult([measured(sampleRun(), [19, 20, 21]), measured(sampleOffloadRun, samples)])),
        "  to baseline",
      );
    expect(against([24, 24.2, 24.4])).toEqual(["-", "+4.20 ms (+21 %)"]);
    expect(against([20, 21, 22])).toEqual(["-", "+1.00 ms, within noise"]);
    expect(line(report, "  to baseline")).toEqual(["-", "+2.00 ms, noise unknown"]);
    const unsteady = { ...sampleOffloadRun, stepMs: { median: 40, samples: [39, 40, 41], stable: false } };
    const beside = (run: ProfileRun, change = {}) =>
      line(
        formatReport(
          sampleResult(
            [{ ...sampleRun(), stepMs: { median: 20, samples: [20, 20, 20], range: [18, 22] } }, run],
            change,
          ),
        ),
        "  to baseline",
      )[1];
    expect(beside(unsteady)).toBe("+20.0 ms, steps not stable");
    const device = { ...sampleResult([]).device, kind: "sim" as const };
    const simulated = (median: number) => ({
      ...sampleOffloadRun,
      stepMs: { median, samples: [median], range: [median * 0.9, median * 1.1] as const },
    });
    expect(beside(simulated(23), { device })).toBe("+3.00 ms, within the simulated range");
    expect(beside(simulated(40), { device })).toBe("+20.0 ms (+100 %)");
    const dust = formatReport(
      sampleResult([measured(sampleRun(), [20, 20, 20]), measured(sampleOffloadRun, [20, 20 + 1e-12, 20])]),
    );
    expect(line(dust, "  to baseline")).toEqual(["-", "equal"]);
    const other = formatReport(sampleResult([sampleRun({ gradientCheckpointing: false }), sampleOffloadRun]));
    expect(line(other, "  to baseline")).toEqual(["-", "-"]);
  });

  it("gives the range of a simulated step, and its stability only where it was measured", () => {
    const stable = sampleRun({ steps: 5, stepMs: { median: 20, samples: [20], stable: true } });
    expect(line(formatReport(sampleResult([stable])), "  stable to 0.5 %")).toEqual(["yes, of 5 steps"]);
    const simulated = sampleRun({ steps: 5, stepMs: { ...stable.stepMs, range: [18, 23.5] } });
    const text = formatReport(sampleResult([simulated]));
    expect(line(text, "  simulated, range")).toEqual(["18.0 ms to 23.5 ms"]);
    expect(text).not.toContain("stable to");
    expect(formatReport(sampleResult([stable]))).not.toContain("simulated, range");
  });

  it("keeps every column in line", () => {
    const body = report.split("\n").slice(4, 30);
    const rule = body.find((text) => text.startsWith("---")) ?? "";
    expect(rule.length).toBeGreaterThan(40);
    for (const text of body) expect(text.length).toBeLessThanOrEqual(rule.length);
  });

  it("starts a further table after four runs", () => {
    const five = formatReport(sampleResult([1, 2, 3, 4, 5].map(() => sampleRun())));
    expect(five.split("\n").filter((text) => text.startsWith("step, median"))).toHaveLength(2);
  });

  it("shouts about unequal gradients, gives reasons and repeats warnings", () => {
    const run = sampleRun({ gradients: { checksum: "0", equalToBaseline: false, reason: "the sums differ" } });
    const warnings = [{ code: "MODEL_APPROXIMATED", message: "Experts run as one dense MLP." }];
    const loud = formatReport(sampleResult([run], { warnings }));
    expect(line(loud, "gradients equal to baseline")).toEqual(["NO"]);
    expect(loud).toContain("the sums differ");
    expect(loud).toContain("MODEL_APPROXIMATED: Experts run as one dense MLP.");
  });

  it("says once what holds for all runs", () => {
    const reason = "A simulated device computes no gradients.";
    const run = sampleRun({ gradients: { checksum: "0", equalToBaseline: null, reason } });
    const said = formatReport(sampleResult([run, run, run]));
    expect(said.split(reason)).toHaveLength(2);
    expect(said).toContain(`Gradients: ${reason}\n`);
  });

  it("is plain ASCII where its input is", () => {
    expect([...report].every((letter) => letter.charCodeAt(0) < 128)).toBe(true);
  });
});
