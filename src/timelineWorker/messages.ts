import type { Outcome, Problem } from "../core/base/outcome.js";
import type {
  Answer,
  ExportRequest,
  LoadingProgress,
  ProfileOverview,
  Question,
} from "../core/timeline/query/protocol.js";

/* What the extension and the thread that holds the columns of one editor tab say to each other. */

/** A file of this machine; what lies elsewhere has been copied to it. */
export interface TimelineFile {
  readonly fileName: string;
  readonly path: string;
  /** Why its bytes could not be had; it is then named beside the files that can be shown. */
  readonly problem?: Problem;
  /** Whether the user chose it to compare the files before it with. */
  readonly isAdded?: boolean;
}

export type ToWorker =
  | { readonly type: "open"; readonly files: readonly TimelineFile[] }
  | { readonly type: "ask"; readonly id: number; readonly question: Question }
  | { readonly type: "export"; readonly id: number; readonly request: ExportRequest; readonly path: string };

export type FromWorker =
  | { readonly type: "progress"; readonly fileName: string; readonly progress: LoadingProgress }
  | { readonly type: "opened"; readonly outcome: Outcome<ProfileOverview> }
  | { readonly type: "answer"; readonly id: number; readonly outcome: Outcome<Answer> }
  | { readonly type: "exported"; readonly id: number; readonly outcome: Outcome<null> };
