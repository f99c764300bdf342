import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../../src/core/config/check.js";

const gib = 2 ** 30;

function config(limit: string, ranks = "8", critic = ""): string {
  return [
    "trainer:",
    `  n_gpus_per_node: ${ranks}`,
    "actor_rollout_ref:",
    "  actor:",
    "    veomni:",
    "      enable_async_activation_offload: true",
    ...(limit === "" ? [] : [`      activation_offload_host_cache_limit_gb: ${limit}`]),
    critic,
    "",
  ].join("\n");
}

const critic = "critic: {veomni: {enable_async_activation_offload: true}}";

function found(text: string, hostMemoryBytes?: number) {
  const options = hostMemoryBytes === undefined ? {} : { hostMemoryBytes };
  const diagnostics = checkDocument("run.yaml", text, options)?.diagnostics ?? [];
  return diagnostics.filter(({ code }) => code === "pinned-memory");
}

describe("pinned-memory", () => {
  it.each([
    [config("32"), 128, "warning", "8 ranks per node may pin 256 GiB"],
    [config("8"), 100, "information", "8 ranks per node may pin 64 GiB"],
    [config(""), 31, "warning", "may pin 32 GiB"],
    [config("4", "8", critic), 60, "warning", "may pin 64 GiB of idle buffers (2 engines)"],
  ])("compares %j with %i GiB", (text, hostGib, severity, message) => {
    const [first] = found(text, hostGib * gib);
    expect(first?.severity).toBe(severity);
    expect(first?.message).toContain(message);
  });

  it("lowers the limit to a quarter of host memory, shared by all ranks", () => {
    const [first] = found(config("32"), 128 * gib);
    const [fix] = first?.fixes ?? [];
    if (fix === undefined) throw new Error("no fix");
    const result = applyEdits(config("32"), fix);
    expect(result).toBe(config("4.0"));
    expect(found(result, 128 * gib)).toEqual([]);
  });

  it.each([
    [config("2"), 128],
    [config("32", "${a.b}"), 16],
    [config("0"), 1],
    [config("-1"), 1],
  ])("is content with %j and %i GiB", (text, hostGib) => {
    expect(found(text, hostGib * gib)).toEqual([]);
  });

  it("says nothing without a host to compare with", () => {
    expect(found(config("1000"))).toEqual([]);
  });
});
