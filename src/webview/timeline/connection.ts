import type { Outcome } from "../../core/base/outcome.js";
import { AskingEnd } from "../../core/channel.js";
import type { AnswerTo, EditorMessage, PageLine, PageMessage, Question } from "../../core/timeline/query/protocol.js";
import { acquireHost } from "../kit/hostPort.js";

/** The page's line to the extension: announcements in, questions out, a small state that survives a hidden tab. */
export class Connection {
  private readonly host = acquireHost();
  private readonly line: AskingEnd<PageLine>;

  constructor(onAnnounced: (message: EditorMessage) => void) {
    this.line = new AskingEnd(this.host.port, { onAnnounced });
  }

  /** Tells the extension that announcements can be understood from now on. */
  ready(): void {
    this.line.tell({ type: "ready" });
  }

  /** Something that is answered by an announcement, or not at all. */
  tell(message: Exclude<PageMessage, { type: "ready" }>): void {
    this.line.tell(message);
  }

  /** Asks and waits for the answer; a question that a reload made pointless fails instead of hanging. */
  ask<Q extends Question>(question: Q): Promise<Outcome<AnswerTo<Q>>> {
    return this.line.ask(question).answer;
  }

  /** Ends all open questions: the profile that they were about is gone. */
  forgetQuestions(): void {
    this.line.forget({
      code: "PROFILE_REPLACED",
      message: "The file changed.",
      nextStep: "Wait for the new timeline.",
    });
  }

  get storedState(): unknown {
    return this.host.storedState;
  }

  set storedState(state: unknown) {
    this.host.storedState = state;
  }
}
