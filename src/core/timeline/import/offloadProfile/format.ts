import { succeed } from "../../../base/outcome.js";
import { CONTAINER_MAGIC } from "../../container/container.js";
import { readContainer } from "../../container/readContainer.js";
import { beginsWith } from "../beginsWith.js";
import type { WholeFormat } from "../traceFormat.js";

/** A saved profile, as the native engine writes it (container/container.ts). */
export const offloadProfile: WholeFormat = {
  id: "offload-profile",
  name: "a profile that this tool saved",
  endings: [".offload"],
  reading: "whole",
  recognises: ({ bytes }) => beginsWith(bytes, CONTAINER_MAGIC),
  read(bytes) {
    const saved = readContainer(bytes);
    return saved.ok ? succeed({ kind: "profile", saved: saved.value }) : saved;
  },
};
