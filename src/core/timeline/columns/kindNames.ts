import { EventKind } from "./eventKind.js";

/** Kinds of events as they are named in files. */
export const KIND_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(EventKind).map(([name, kind]) => [kind, name]),
);
