import { fail, type Outcome } from "../../core/base/outcome.js";
import type { Answer, AnswerTo, EditorMessage, PageMessage, Question } from "../../core/timeline/query/protocol.js";

interface HostApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): HostApi;

/** Everything that the extension sends on its own account. */
export type Announcement = Exclude<EditorMessage, { type: "answer" }>;

/** The page's line to the extension: announcements in, questions out, a small state that survives a hidden tab. */
export class Connection {
  private readonly host = acquireVsCodeApi();
  private readonly waiting = new Map<number, (outcome: Outcome<Answer>) => void>();
  private nextId = 1;

  constructor(onAnnouncement: (message: Announcement) => void) {
    window.addEventListener("message", (event: MessageEvent<EditorMessage>) => {
      const message = event.data;
      if (message.type !== "answer") return onAnnouncement(message);
      this.waiting.get(message.id)?.(message.outcome);
      this.waiting.delete(message.id);
    });
  }

  /** Tells the extension that announcements can be understood from now on. */
  ready(): void {
    this.host.postMessage({ type: "ready" });
  }

  /** Something that is answered by an announcement, or not at all. */
  tell(message: Exclude<PageMessage, { type: "ready" | "ask" }>): void {
    this.host.postMessage(message);
  }

  /** Asks and waits for the answer; a question that a reload made pointless fails instead of hanging. */
  ask<Q extends Question>(question: Q): Promise<Outcome<AnswerTo<Q>>> {
    const id = this.nextId++;
    this.host.postMessage({ type: "ask", id, question });
    return new Promise((resolve) => {
      // The kind of the question decides the type of its answer; the other side answers by the same table of types.
      this.waiting.set(id, (outcome) => resolve(outcome as Outcome<AnswerTo<Q>>));
    });
  }

  /** Ends all open questions: the profile that they were about is gone. */
  forgetQuestions(): void {
    const open = [...this.waiting.values()];
    this.waiting.clear();
    for (const answer of open)
      answer(fail({ code: "PROFILE_REPLACED", message: "The file changed.", nextStep: "Wait for the new timeline." }));
  }

  get storedState(): unknown {
    return this.host.getState();
  }

  set storedState(state: unknown) {
    this.host.setState(state);
  }
}
