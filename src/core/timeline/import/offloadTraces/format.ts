import { succeed } from "../../../base/outcome.js";
import { readTraceContainer } from "../../container/readTraceContainer.js";
import { TRACE_CONTAINER_MAGIC } from "../../container/traceContainer.js";
import { beginsWith } from "../beginsWith.js";
import type { WholeFormat } from "../traceFormat.js";

/** Traces that were saved after an import (container/traceContainer.ts). */
export const offloadTraces: WholeFormat = {
  id: "offload-traces",
  name: "traces that this tool saved",
  endings: [".offload"],
  reading: "whole",
  recognises: ({ bytes }) => beginsWith(bytes, TRACE_CONTAINER_MAGIC),
  read(bytes) {
    const traces = readTraceContainer(bytes);
    return traces.ok ? succeed({ kind: "savedTraces", traces: traces.value }) : traces;
  },
};
