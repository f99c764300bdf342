import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readOffloadSettings } from "../../../src/core/config/offloadSettings.js";
import { effectHints } from "../../../src/core/effect/effectHints.js";
import { figures } from "./figures.js";

const sample = readFileSync(new URL("../../../media/sample/veomni.yaml", import.meta.url), "utf8");

function hintsOf(text: string) {
  const [settings] = readOffloadSettings("/c/veomni.yaml", text);
  if (settings === undefined) throw new Error("the sample has no block");
  return effectHints(text, settings, figures());
}

test("hints stand behind the values of the switch and of the cache limit, before a comment", () => {
  const text = sample.replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: 4.0  # enough");
  const hints = hintsOf(text);
  expect(
    hints.map(({ offset, label }) => [
      text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim(),
      label.replaceAll(/[\u00a0\u202f]/g, " "),
    ]),
  ).toEqual([
    ["enable_async_activation_offload: true", "simulated: peak stays 30.0 GiB, 1122 ms a step"],
    ["activation_offload_host_cache_limit_gb: 4.0", "2.19 GiB pinned in all"],
  ]);
});

test("a key that only a comment names gets no hint", () => {
  const hints = hintsOf(
    sample.replace("activation_offload_host_cache_limit_gb:", "# activation_offload_host_cache_limit_gb:"),
  );
  expect(hints).toHaveLength(1);
});
