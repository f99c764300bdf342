import { describe, expect, it } from "vitest";
import { answerQuestion } from "../../../src/core/timeline/answers.js";
import { indexProfile } from "../../../src/core/timeline/query/indexedTimeline.js";
import type { AnswerTo, Question } from "../../../src/core/timeline/query/protocol.js";
import { sampleProfile } from "../profile/sampleProfile.js";
import { type SampleEvent, timelineOf } from "./columnSamples.js";

const { result } = sampleProfile(2);
const kernel: SampleEvent = { lane: 0, startNs: 0, durationNs: 100, name: "q_proj", layer: 0 };
const copy: SampleEvent = { lane: 1, startNs: 60, durationNs: 80, name: "offload", bytes: 800, dependsOn: kernel };
const timeline = timelineOf([
  kernel,
  copy,
  { lane: 0, startNs: 130, durationNs: 100, name: "k_proj", layer: 1 },
  { lane: 0, startNs: 300, durationNs: 1, name: "Q_PROJ gradient", layer: 1 },
]);
const profile = indexProfile({ result, timelines: [timeline, null] });

function ask<Q extends Question>(question: Q): AnswerTo<Q> {
  const outcome = answerQuestion(profile, question);
  if (!outcome.ok) throw new Error(outcome.problem.code);
  return outcome.value as AnswerTo<Q>;
}

describe("answerQuestion", () => {
  it("describes an event: rate, cover and what it waited for", () => {
    const details = ask({ kind: "event", run: 0, event: 1 });
    expect(details).toMatchObject({ name: "offload", role: "d2h", stream: "offload", bytes: 800, layer: -1 });
    // 60..100 and 130..140 lie under compute.
    expect(details.hiddenNs).toBe(50);
    expect(details.waitedFor).toMatchObject({ event: 0, name: "q_proj", stream: "compute", endNs: 100 });
    expect(ask({ kind: "event", run: 0, event: 0 })).toMatchObject({ hiddenNs: null, waitedFor: null });
  });

  it("steps through a lane and stops at its ends", () => {
    const step = (event: number, by: 1 | -1) =>
      ask({ kind: "neighbour", run: 0, event, step: by }).event?.event ?? null;
    expect([step(0, 1), step(2, 1), step(3, 1), step(2, -1), step(1, 1)]).toEqual([2, 3, null, 0, null]);
  });

  it("answers a view with one list per row", () => {
    const view = ask({ kind: "view", run: 0, fromNs: 0, toNs: 400, pixelNs: 1 });
    expect(view.rows.map((row) => Array.from(row.event))).toEqual([[0, 2, 3], [1]]);
  });

  it("leaves the boxes of rows out that nobody asked for", () => {
    const view = ask({ kind: "view", run: 0, fromNs: 0, toNs: 400, pixelNs: 1, rows: [1, 7] });
    expect(view.rows.map((row) => Array.from(row.event))).toEqual([[], [1]]);
  });

  it("lists, filters and locates for the table", () => {
    const filter = { role: null, text: "q_proj" };
    const page = ask({ kind: "table", run: 0, filter, position: 0, count: 10 });
    expect(page.events.map((event) => event.event)).toEqual([0, 3]);
    expect(ask({ kind: "locate", run: 0, filter, event: 3 }).position).toBe(1);
    expect(ask({ kind: "locate", run: 0, filter, event: 1 }).position).toBeNull();
    const d2h = ask({ kind: "table", run: 0, filter: { role: "d2h", text: "" }, position: 0, count: 10 });
    expect(d2h).toMatchObject({ total: 1, position: 0 });
    expect(ask({ kind: "table", run: 0, filter, position: 99, count: 10 })).toMatchObject({ total: 2, events: [] });
  });

  it("finds the nearest event of a row", () => {
    expect(ask({ kind: "nearest", run: 0, row: 0, timeNs: 290 }).event?.event).toBe(3);
    expect(ask({ kind: "nearest", run: 0, row: 9, timeNs: 290 }).event).toBeNull();
  });

  it("refuses what is not there", () => {
    const codeOf = (question: Question) => {
      const outcome = answerQuestion(profile, question);
      return outcome.ok ? "ok" : outcome.problem.code;
    };
    expect(codeOf({ kind: "event", run: 1, event: 0 })).toBe("TIMELINE_ABSENT");
    expect(codeOf({ kind: "event", run: 77, event: 0 })).toBe("TIMELINE_ABSENT");
    expect(codeOf({ kind: "event", run: 0, event: 4 })).toBe("EVENT_ABSENT");
    expect(codeOf({ kind: "neighbour", run: 0, event: -1, step: 1 })).toBe("EVENT_ABSENT");
  });
});
