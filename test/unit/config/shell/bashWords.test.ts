// @slow: large inputs or many cases.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasBash } from "./bashOracle.js";
import {
  compareWords,
  type RecordedScript,
  randomNestedScripts,
  randomReturnScripts,
  randomScripts,
  wordsFromBash,
} from "./bashScripts.js";

const recording = "test/fixtures/shell/bashWords.json";

/** Scripts of every kind: odd words, texts that the shell reads again, line ends of Windows. */
function fromBash(seed: number, count: number): RecordedScript[] {
  const few = Math.ceil(count / 2);
  const scripts = [...randomScripts(seed, count), ...randomNestedScripts(seed, few), ...randomReturnScripts(seed, few)];
  return scripts.flatMap((script) => {
    const words = wordsFromBash(script);
    return words === undefined ? [] : [{ script, words }];
  });
}

function verdicts(scripts: readonly RecordedScript[]) {
  const judged = scripts.map((each) => ({ ...each, verdict: compareWords(each) }));
  return {
    equal: judged.filter(({ verdict }) => verdict === "equal").length,
    different: judged.filter(({ verdict }) => verdict === "different"),
  };
}

// RECORD_BASH=1 writes the recording anew, with the bash of this machine.
describe("words beside bash", () => {
  it.runIf(hasBash && process.env.RECORD_BASH === "1")("are recorded", { timeout: 60_000 }, () => {
    // Where a user has their home is the machine's, not bash's.
    const recorded = fromBash(11, 900).filter(({ script }) => !script.includes("~root"));
    writeFileSync(recording, `${JSON.stringify(recorded, null, 1)}\n`);
  });

  it("are the recorded ones, or said to be unknown", () => {
    const recorded: RecordedScript[] = JSON.parse(readFileSync(recording, "utf8"));
    expect(recorded.length).toBeGreaterThan(500);
    const { equal, different } = verdicts(recorded);
    expect(different).toEqual([]);
    expect(equal).toBeGreaterThan(recorded.length / 6);
  });

  it.skipIf(!hasBash)("are those of this machine's bash, or said to be unknown", { timeout: 60_000 }, () => {
    expect(verdicts(fromBash(29, 250)).different).toEqual([]);
  });

  it("would be called different if they were", () => {
    expect(compareWords({ script: "/usr/bin/printf '%s\\0' a $U end", words: ["a", "end"] })).toBe("open");
    expect(compareWords({ script: "/usr/bin/printf '%s\\0' ~/x end", words: ["/h/y", "end"] })).toBe("different");
  });
});
