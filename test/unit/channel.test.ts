import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail, succeed } from "../../src/core/base/outcome.js";
import {
  AnsweringEnd,
  type AnsweringOptions,
  AskingEnd,
  type AskingOptions,
  type Line,
  type Port,
} from "../../src/core/channel.js";

interface Sample extends Line {
  readonly request: { readonly kind: "double"; readonly of: number } | { readonly kind: "name" };
  readonly answers: { readonly double: number; readonly name: string };
  readonly progress: number;
  readonly told: string;
  readonly announced: string;
}

const problem = { code: "GONE", message: "It is gone.", nextStep: "Start it again." };

/** Two ports that deliver each other's messages at once, cloned as between threads. */
function ports(): {
  readonly asking: Port;
  readonly answering: Port;
  readonly said: unknown[];
  say(message: unknown): void;
} {
  let toAsking: (message: unknown) => void = () => undefined;
  let toAnswering: (message: unknown) => void = () => undefined;
  const said: unknown[] = [];
  return {
    said,
    say: (message) => toAsking(message),
    asking: {
      post: (message) => {
        said.push(message);
        toAnswering(structuredClone(message));
      },
      listen: (listener) => {
        toAsking = listener;
      },
    },
    answering: {
      post: (message, transfer = []) => toAsking(structuredClone(message, { transfer: [...transfer] })),
      listen: (listener) => {
        toAnswering = listener;
      },
    },
  };
}

function connect(answer: NonNullable<AnsweringOptions<Sample>["answer"]>, options: AskingOptions<Sample> = {}) {
  const both = ports();
  const told: string[] = [];
  const answering = new AnsweringEnd<Sample>(both.answering, { answer, onTold: (text) => told.push(text) });
  return { ...both, told, answering, line: new AskingEnd<Sample>(both.asking, options) };
}

const answerAll: NonNullable<AnsweringOptions<Sample>["answer"]> = (request) =>
  succeed(request.kind === "double" ? request.of * 2 : "Ada");

describe("a line", () => {
  it("gives each request its own answer, in whatever order they come", async () => {
    const ends: (() => void)[] = [];
    const { line } = connect(
      (request) =>
        new Promise((resolve) => {
          ends.unshift(() => resolve(succeed(request.kind === "double" ? request.of * 2 : "Ada")));
        }),
    );
    const doubled = line.ask({ kind: "double", of: 4 });
    const named = line.ask({ kind: "name" });
    for (const end of ends) end();
    expect(await named.answer).toEqual({ ok: true, value: "Ada" });
    expect(await doubled.answer).toEqual({ ok: true, value: 8 });
    expect([doubled.isOpen, named.isOpen]).toEqual([false, false]);
  });

  it("passes problems, progress, and what either side tells", async () => {
    const announced: string[] = [];
    const heard: number[] = [];
    const { line, answering, told } = connect(
      (_request, { report }) => {
        report(0.5);
        return fail(problem);
      },
      { onAnnounced: (text) => announced.push(text) },
    );
    line.tell("ready");
    answering.announce("new model");
    expect(await line.ask({ kind: "name" }, (share) => heard.push(share)).answer).toEqual({ ok: false, problem });
    expect([told, announced, heard]).toEqual([["ready"], ["new model"], [0.5]]);
  });

  it("carries a cancel to the request that it is about, also before the other side listens for it", async () => {
    const cancelled: number[] = [];
    const { line } = connect(async (request, { onCancel }) => {
      await Promise.resolve();
      return new Promise((resolve) => {
        if (request.kind !== "double") return resolve(succeed("Ada"));
        onCancel(() => {
          cancelled.push(request.of);
          resolve(fail({ ...problem, code: "CANCELLED" }));
        });
      });
    });
    const [first, second] = [line.ask({ kind: "double", of: 1 }), line.ask({ kind: "double", of: 2 })];
    second.cancel();
    expect(await second.answer).toMatchObject({ problem: { code: "CANCELLED" } });
    expect([cancelled, first.isOpen]).toEqual([[2], true]);
    second.cancel();
    first.cancel();
    await first.answer;
    expect(cancelled).toEqual([2, 1]);
  });

  it("fails what waits and what comes after when the other side is gone, with the first reason", async () => {
    const { line, say } = connect(() => new Promise(() => undefined));
    const open = line.ask({ kind: "name" });
    line.end(problem);
    line.end({ ...problem, code: "LATER" });
    say({ packet: "answer", id: 1, body: succeed("late") });
    expect(await open.answer).toEqual({ ok: false, problem });
    expect(await line.ask({ kind: "name" }).answer).toEqual({ ok: false, problem });
  });

  it("forgets what waits and goes on", async () => {
    let answers: ((name: string) => void)[] = [];
    const { line } = connect(() => new Promise((resolve) => answers.push((name) => resolve(succeed(name)))));
    const old = line.ask({ kind: "name" });
    line.forget(problem);
    const fresh = line.ask({ kind: "name" });
    for (const [at, answer] of answers.entries()) answer(`answer ${at}`);
    answers = [];
    expect(await old.answer).toEqual({ ok: false, problem });
    expect(await fresh.answer).toEqual({ ok: true, value: "answer 1" });
  });

  it("lets the buffers of an answer leave the answering side", async () => {
    const { asking, answering } = ports();
    const column = Float64Array.of(1, 2);
    interface Columns extends Line {
      readonly request: { readonly kind: "columns" };
      readonly answers: { readonly columns: Float64Array };
    }
    new AnsweringEnd<Columns>(answering, {
      answer: () => succeed(column),
      pack: (value) => ({ value, transfer: [column.buffer as ArrayBuffer] }),
    });
    const outcome = await new AskingEnd<Columns>(asking).ask({ kind: "columns" }).answer;
    expect(outcome.ok && [...outcome.value]).toEqual([1, 2]);
    expect(column.length).toBe(0);
  });
});

describe("the border of a process", () => {
  const outcome = z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), value: z.union([z.number(), z.string()]) }),
    z.object({
      ok: z.literal(false),
      problem: z.object({ code: z.string(), message: z.string(), nextStep: z.string() }),
    }),
  ]);
  const checks = { answer: outcome, progress: z.number(), announced: z.string() };

  it.each([
    undefined,
    null,
    7,
    "answer",
    [],
    {},
    { packet: "answer" },
    { packet: "answer", id: "1", body: succeed(1) },
    { packet: "answer", id: 1.5, body: succeed(1) },
    { packet: "answer", id: 1, body: { ok: true, value: {} } },
    { packet: "answer", id: 1, body: { ok: false, problem: { code: 1 } } },
    { packet: "progress", id: 1, body: "half" },
    { packet: "told", body: 3 },
    { packet: "request", id: 1, body: { kind: "name" } },
    { packet: "other", id: 1 },
  ])("does not take %j for a message", (message) => {
    let unreadable = 0;
    const heard: unknown[] = [];
    const { line, say } = connect(() => new Promise(() => undefined), {
      checks,
      onUnreadable: () => unreadable++,
      onAnnounced: (text) => heard.push(text),
    });
    const asked = line.ask({ kind: "name" }, (share) => heard.push(share));
    say(message);
    expect([unreadable, asked.isOpen, heard]).toEqual([1, true, []]);
  });

  it("takes what passes, and drops answers that nobody waits for", async () => {
    const { line, say } = connect(() => new Promise(() => undefined), { checks });
    const asked = line.ask({ kind: "name" });
    say({ packet: "answer", id: 9, body: succeed("other") });
    say({ packet: "answer", id: 1, body: succeed("Ada") });
    say({ packet: "answer", id: 1, body: succeed("again") });
    expect(await asked.answer).toEqual({ ok: true, value: "Ada" });
  });

  it("keeps requests out that are none", async () => {
    const both = ports();
    const seen: unknown[] = [];
    const request = z.object({ kind: z.literal("name") });
    new AnsweringEnd<Sample>(both.answering, {
      answer: (asked, call) => {
        seen.push(asked);
        return answerAll(asked, call);
      },
      checks: { request, told: z.string() },
      onTold: (text) => seen.push(text),
    });
    for (const body of [null, {}, { kind: "double" }]) both.asking.post({ packet: "request", id: 1, body });
    both.asking.post({ packet: "told", body: 1 });
    both.asking.post({ packet: "cancel", id: 5 });
    both.asking.post({ packet: "request", id: 2, body: { kind: "name" } });
    expect(seen).toEqual([{ kind: "name" }]);
  });
});
