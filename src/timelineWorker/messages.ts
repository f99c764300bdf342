import type { Problem } from "../core/base/outcome.js";
import type { Line } from "../core/channel.js";
import type {
  Answer,
  ExportRequest,
  LoadingProgress,
  ProfileOverview,
  Question,
} from "../core/timeline/query/protocol.js";

/** A file of this machine, or the bytes of one that lies elsewhere. */
export interface TimelineFile {
  readonly fileName: string;
  readonly path: string;
  /** Why its bytes could not be had; it is then named beside the files that can be shown. */
  readonly problem?: Problem;
  /** Whether the user chose it to compare the files before it with. */
  readonly isAdded?: boolean;
}

/** How far the import of one of the files came. */
export interface FileProgress {
  readonly fileName: string;
  readonly progress: LoadingProgress;
}

/** What the extension asks the thread that holds the columns of one editor tab. */
export type ThreadRequest =
  | { readonly kind: "open"; readonly files: readonly TimelineFile[] }
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "export"; readonly request: ExportRequest; readonly path: string };

/** The line between the extension and that thread; only `open` has progress. */
export interface TimelineLine extends Line {
  readonly request: ThreadRequest;
  readonly answers: { readonly open: ProfileOverview; readonly ask: Answer; readonly export: null };
  readonly progress: FileProgress;
  readonly told: never;
  readonly announced: never;
}
