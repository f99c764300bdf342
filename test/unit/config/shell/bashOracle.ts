import { spawnSync } from "node:child_process";

/** Can this machine run bash? */
export const hasBash = spawnSync("bash", ["--norc", "-c", "true"]).status === 0;

/** What bash hands to a program: the words of every `/usr/bin/printf '%s\0' …` of the script; undefined if bash complains. */
export function wordsFromBash(script: string): string[] | undefined {
  const run = spawnSync("bash", ["--norc", "-c", `set -f\n${script}`], { env: { PATH: process.env.PATH ?? "" } });
  if (run.status !== 0 || run.stderr.length > 0) return undefined;
  return run.stdout.toString("utf8").split("\0").slice(0, -1);
}

/** Small generator with a fixed seed (mulberry32); numbers from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
