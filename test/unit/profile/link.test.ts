import { describe, expect, it } from "vitest";
import { startLink } from "../../../src/core/profile/link.js";
import { FakeProcess } from "./fakeProcess.js";
import { sampleLink } from "./sampleLink.js";

describe("startLink", () => {
  it("asks for the device and gives the engine's text with what it says", async () => {
    const process = new FakeProcess();
    const run = startLink(process, "cuda");
    expect(process.sent).toEqual([{ kind: "link", device: "cuda" }]);
    const resultJson = JSON.stringify(sampleLink);
    process.says({ kind: "finished", resultJson });
    expect(await run.outcome).toEqual({ ok: true, value: { resultJson, result: sampleLink } });
  });

  it("passes a problem on", async () => {
    const process = new FakeProcess();
    const run = startLink(process, "cuda");
    const problem = { code: "CUDA_NO_DEVICE", message: "No GPU.", nextStep: "Look." };
    process.says({ kind: "failed", problem });
    expect(await run.outcome).toEqual({ ok: false, problem });
  });

  it.each(["{", "7", "{}", '{"schema":"offload-profile/1","device":{},"runs":[]}'])(
    "does not take %s for a link",
    async (text) => {
      const process = new FakeProcess();
      const run = startLink(process, "auto");
      process.says({ kind: "finished", resultJson: text });
      expect(await run.outcome).toMatchObject({ ok: false, problem: { code: "PROFILER_PROTOCOL" } });
    },
  );

  it("cancels like a profile", async () => {
    const process = new FakeProcess();
    const run = startLink(process, "auto");
    run.cancel();
    process.exits(null, "SIGKILL");
    expect(await run.outcome).toMatchObject({ ok: false, problem: { code: "CANCELLED" } });
  });
});
