import type { Outcome } from "../../base/outcome.js";
import type { Timeline } from "../columns/columns.js";
import type { ImportReport } from "../columns/importReport.js";
import type { SavedProfile } from "../container/readContainer.js";
import type { NamedTrace } from "../container/traceContainer.js";

/** A trace as the one timeline that it is, and what the import did with its elements. */
export interface ImportedTrace {
  readonly timeline: Timeline;
  readonly report: ImportReport;
}

/** What a file holds: a saved profile, a trace, or traces that were saved after an import. */
export type ImportedFile =
  | { readonly kind: "profile"; readonly saved: SavedProfile }
  | { readonly kind: "trace"; readonly trace: ImportedTrace }
  | { readonly kind: "savedTraces"; readonly traces: readonly NamedTrace[] };

/** The beginning of a file. */
export interface FileHead {
  /** At most `HEAD_BYTES` of them. */
  readonly bytes: Uint8Array;
  /** There are no more. */
  readonly isWhole: boolean;
}

/** So much of a (decompressed) file says what it is. */
export const HEAD_BYTES = 64 * 1024;

/** Imports a trace from the pieces of its bytes, decompressed, in the order in which they come. */
export interface StreamImporter {
  /** Events so far. */
  readonly events: number;
  /** Bytes so far. */
  readonly textBytes: number;
  /** Why this can be no trace; `undefined` as long as it may be one. Reading on is pointless then. */
  readonly refusal: string | undefined;
  /** Takes the next piece; `bytes` may be reused afterwards. */
  push(bytes: Uint8Array): void;
  /** The bytes break off, for a reason that they do not show themselves. */
  markTruncated(): void;
  /** The columns sorted, and completed by `completeTimeline`. Fails with `TRACE_EMPTY` or `TRACE_FOREIGN`. The importer is used up. */
  finish(): Outcome<ImportedTrace>;
}

interface AnyFormat {
  /** Lower case, stable. */
  readonly id: string;
  /** What people call a file of this format, as the end of a sentence. */
  readonly name: string;
  /**
   * How the names of such files end, with the dot and uncompressed: what the Explorer and dialogs offer. Content decides; only
   * where it says nothing is a file taken by its ending for a format that is read at once.
   */
  readonly endings: readonly string[];
  /** Whether a file begins like one of this format. */
  recognises(head: FileHead): boolean;
}

/** A format of traces, of any size and plain or compressed: it is read in pieces. */
export interface StreamedFormat extends AnyFormat {
  readonly reading: "streamed";
  createImporter(): StreamImporter;
}

/** A format that is read at once, because its columns are views into its bytes; never compressed. */
export interface WholeFormat extends AnyFormat {
  readonly reading: "whole";
  /** `bytes` must not change afterwards. */
  read(bytes: Uint8Array): Outcome<ImportedFile>;
}

/** A format in which files hold timelines. */
export type TraceFormat = StreamedFormat | WholeFormat;
