/**
 * What an import did with every element of a file. `total` counts all elements that it lists, metadata included;
 * `total = kept + dropped`. `repaired` and `overlapped` count among the kept ones.
 */
export interface ImportReport {
  /** Id of the format (import/registry.ts) or of its dialect; `offload`: a run of a saved profile, shown beside traces. */
  readonly format: string;
  readonly total: number;
  /** Elements whose content is in the columns: events, counters, flows, names of processes and threads. */
  readonly kept: number;
  readonly repaired: number;
  /** Events that start before another one of the same stream ended; kept, drawn on a second row. */
  readonly overlapped: number;
  readonly dropped: number;
  /** One line per kind of repair, overlap and drop, the most frequent first. */
  readonly lines: readonly ReportLine[];
  /** Bytes of text, after decompression. */
  readonly textBytes: number;
  /** The file ended in the middle of an element, or without closing what it opened. */
  readonly isTruncated: boolean;
}

export interface ReportLine {
  /**
   * `noted`: kept as it is, but worth knowing. `ignored`: about the file, not about an element. Both are in none of the counts.
   */
  readonly outcome: "repaired" | "overlapped" | "dropped" | "noted" | "ignored";
  /** Upper snake case, stable. */
  readonly code: string;
  readonly reason: string;
  readonly count: number;
  /** Of the first element that this happened to, in the (decompressed) text; null where it is about no place. */
  readonly firstByteOffset: number | null;
  /** The beginning of that element, or its name. */
  readonly firstExample: string;
}
