import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { succeed } from "../../../../src/core/base/outcome.js";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import type { ProfileRequest } from "../../../../src/core/profile/request.js";
import { jobText } from "../../config/jobs.js";
import { sampleResult, sampleRun } from "../../profile/sampleResult.js";
import * as fake from "./fakeEditor.js";

vi.mock("vscode", async () => {
  const editor = await import("./fakeEditor.js");
  const nothing = () => ({ dispose: () => undefined });
  return {
    ...editor,
    CodeActionKind: { QuickFix: "quickfix" },
    Disposable: { from: nothing },
    workspace: {
      isTrusted: true,
      onDidCloseTextDocument: nothing,
      onDidChangeConfiguration: nothing,
      getConfiguration: () => ({ get: () => undefined }),
    },
  };
});
vi.mock("../../../../src/extension/document/checkOptions.js", () => ({ checkOptionsOf: () => ({}) }));
vi.mock("../../../../src/extension/document/documentAnalysis.js", () => ({
  analyse: async (document: fake.FakeDocument) => ({
    settings: readOffloadSettings(document.uri.path, document.getText()),
  }),
}));
const { BlockLevers } = await import("../../../../src/extension/whatIf/blockLevers.js");
const { LeverHintsProvider, LeverLensProvider } = await import("../../../../src/extension/whatIf/leverLens.js");
const { LeverActions } = await import("../../../../src/extension/whatIf/leverActions.js");

type Block = ReturnType<typeof readOffloadSettings>[number];

/** The parts around a document: nothing but requests decides the answers, of which chunks make the smallest peak. */
function session(text: string) {
  const asked: ProfileRequest[] = [];
  const simulator = {
    simulate: async (request: ProfileRequest) => {
      asked.push(request);
      const strategy = request.strategies?.at(-1) ?? "none";
      return succeed(
        sampleResult([sampleRun({ strategy, peakBytes: request.entropy === "chunked" ? 2 ** 30 : 2 ** 33 })]),
      );
    },
  };
  const effects = { onDidChange: () => ({ dispose: () => undefined }), configJsonOf: async () => "{}" };
  const levers = new BlockLevers(effects as never, simulator as never);
  const document = new fake.FakeDocument(text);
  const blockOf = () => readOffloadSettings("job.yaml", document.getText())[0] as Block;
  return { levers, document, asked, blockOf, tableOf: () => levers.tableOf(document as never, blockOf()) };
}

const everything = new fake.Range(new fake.Position(0, 0), new fake.Position(1000, 0));
const job = () =>
  jobText("dynamic.yaml").replace("offload: true\n  ref:", "offload: true\n      param_offload: true\n  ref:");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("levers of a block in the editor", () => {
  it("are simulated behind the text, once it is quiet, and told", async () => {
    const { levers, asked, tableOf } = session(job());
    const told = vi.fn();
    levers.onDidChange(told);
    expect(tableOf()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(500);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(told).toHaveBeenCalledOnce();
    expect(tableOf()?.levers[0]?.key).toBe("actor_rollout_ref.actor.veomni.entropy_from_logits_with_chunking");
  });

  it("of an edited text end, and ask again only what is new", async () => {
    const { asked, document, tableOf } = session(job());
    tableOf();
    await vi.advanceTimersByTimeAsync(700);
    const first = asked.length;
    expect(first).toBeGreaterThan(5);
    document.edit(`# a note\n${document.getText()}`);
    expect(tableOf()).toBeUndefined();
    document.edit(`# another\n${document.getText()}`);
    expect(tableOf()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(700);
    expect(asked).toHaveLength(first);
    expect(tableOf()?.levers).toHaveLength(1);
  });

  it("stand in a lens that waits for nothing, and in hints", async () => {
    const { levers, document, tableOf } = session(job());
    const lenses = new LeverLensProvider(levers);
    const hints = new LeverHintsProvider(levers);
    expect(await lenses.provideCodeLenses(document as never)).toEqual([]);
    await vi.advanceTimersByTimeAsync(700);
    const [lens] = (await lenses.provideCodeLenses(document as never)) as unknown as fake.CodeLens[];
    expect(tableOf()).toBeDefined();
    expect(lens?.command).toMatchObject({ command: "offloadLens.levers" });
    expect(lens?.command.title).toContain("peak 8.0 GiB · 1 key would lower it");
    expect(lens?.command.tooltip).toContain("entropy_from_logits_with_chunking = true: peak 8.0 → 1.0 GiB");
    const shown = (await hints.provideInlayHints(
      document as never,
      everything as never,
    )) as unknown as fake.InlayHint[];
    const [first] = shown.map(({ label, position }) => [label.replaceAll("\u00a0", " "), position.line]);
    const line = document
      .getText()
      .split("\n")
      .findIndex((each) => each.includes("param_offload: true"));
    expect(first).toEqual(["simulated: step's peak stays 8.0 GiB", line]);
  });

  it("are quick fixes at the block, each an edit of one key", async () => {
    const { levers, document, blockOf, tableOf } = session(job());
    tableOf();
    await vi.advanceTimersByTimeAsync(700);
    const at = document.positionAt(blockOf().blockSpan.start);
    const actions = new LeverActions(levers);
    const offered = (line: number) =>
      actions.provideCodeActions(
        document as never,
        new fake.Range(new fake.Position(line, 0), new fake.Position(line, 0)) as never,
      ) as Promise<unknown[]>;
    expect(await offered(0)).toEqual([]);
    const [action] = (await offered(at.line)) as fake.CodeAction[];
    expect(action?.title).toMatch(/^Set entropy_from_logits_with_chunking to true: peak 8\.0 → 1\.0 GiB, .*simulated$/);
    expect(action?.edit?.edits[0]?.newText).toContain("entropy_from_logits_with_chunking: true");
  });

  it("are no quick fixes where a figure that decides is known to nobody", async () => {
    const { levers, document, blockOf, tableOf } = session(
      job().replace(/trainer:\n {2}nnodes: 2\n {2}n_gpus_per_node: 8\n/, ""),
    );
    tableOf();
    await vi.advanceTimersByTimeAsync(700);
    expect(tableOf()?.unsure).toContain("trainer.nnodes");
    const at = document.positionAt(blockOf().blockSpan.start);
    const range = new fake.Range(at, at);
    expect(await new LeverActions(levers).provideCodeActions(document as never, range as never)).toEqual([]);
  });
});
