import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { moveEntry } from "../../../../src/core/config/document/moveEntry.js";
import { applyFix } from "../checkedText.js";

function move(text: string, from: string, to: string): string | undefined {
  const edits = moveEntry(parseConfig(text, "pyyaml"), from.split("."), to.split("."));
  return edits === undefined ? undefined : applyFix(text, { title: "", edits });
}

describe("moveEntry", () => {
  it("moves a block with its comments to another block, and adds what is missing", () => {
    const text = [
      "model:",
      "  path: x",
      "train:",
      "  # about parallelism",
      "  accelerator: # sizes",
      "    ep_size: 4",
      "",
      "    # offload",
      "    offload_config: {}",
      "    # end",
      "  seed: 1",
      "",
    ].join("\n");
    expect(move(text, "train.accelerator", "model.accelerator")).toBe(
      [
        "model:",
        "  path: x",
        "  # about parallelism",
        "  accelerator: # sizes",
        "    ep_size: 4",
        "",
        "    # offload",
        "    offload_config: {}",
        "    # end",
        "train:",
        "  seed: 1",
        "",
      ].join("\n"),
    );
  });

  it("indents for the depth of the new place", () => {
    const text = "train:\n    lr: 1.0e-5 # rate\n    seed: 1\n";
    expect(move(text, "train.lr", "train.optimizer.lr")).toBe(
      "train:\n    seed: 1\n    optimizer:\n        lr: 1.0e-5 # rate\n",
    );
  });

  it("nests an entry where it stands when it is the last", () => {
    expect(move("train:\n  seed: 1\n  lr: 1.0\n", "train.lr", "train.optimizer.lr")).toBe(
      "train:\n  seed: 1\n  optimizer:\n    lr: 1.0\n",
    );
    expect(move("train:\n  seed: 1\n  lr: 1.0", "train.lr", "train.optimizer.lr")).toBe(
      "train:\n  seed: 1\n  optimizer:\n    lr: 1.0",
    );
  });

  it("goes into a block that is there", () => {
    expect(move("train:\n  lr: 1.0\n  optimizer:\n    type: adamw\n", "train.lr", "train.optimizer.lr")).toBe(
      "train:\n  optimizer:\n    type: adamw\n    lr: 1.0\n",
    );
  });

  it("takes blocks away that it leaves empty, but keeps their comments", () => {
    expect(move("train: # job\n  # rate\n  lr: 1.0\nmodel:\n  a: 1\n", "train.lr", "model.optimizer.lr")).toBe(
      "model:\n  a: 1\n  optimizer:\n    # job\n    # rate\n    lr: 1.0\n",
    );
  });

  it("keeps lists, texts over several lines and CRLF", () => {
    expect(move("a:\r\n  l:\r\n  - x\r\n  - y\r\n  k: 1\r\nb:\r\n  c: 1\r\n", "a.l", "b.d.l")).toBe(
      "a:\r\n  k: 1\r\nb:\r\n  c: 1\r\n  d:\r\n    l:\r\n    - x\r\n    - y\r\n",
    );
    expect(move("a:\n  t: |\n    one\n      two\n  k: 1\nb:\n  c: 1\n", "a.t", "b.d.t")).toBe(
      "a:\n  k: 1\nb:\n  c: 1\n  d:\n    t: |\n      one\n        two\n",
    );
  });

  it("fills a key without value, and a mapping in braces", () => {
    expect(move("a:\n  l: 1\n  k: 1\nb:\n", "a.l", "b.d.l")).toBe("a:\n  k: 1\nb:\n  d:\n    l: 1\n");
    expect(move("a:\n  l: 1\n  k: 1\nb: {c: 1}\n", "a.l", "b.d.l")).toBe("a:\n  k: 1\nb: {c: 1, d: {l: 1}}\n");
    expect(move("a:\n  l: 1\n  k: 1\nb: {}\n", "a.l", "b.d.l")).toBe("a:\n  k: 1\nb: {d: {l: 1}}\n");
    expect(move("a: {l: 1, k: 1}\nb:\n  c: 1\n", "a.l", "b.d.l")).toBe("a: {k: 1}\nb:\n  c: 1\n  d:\n    l: 1\n");
  });

  it("merges blocks that have nothing in common", () => {
    const text = "a:\n  o:\n    # one\n    x: 1\n  k: 1\nb:\n  o:\n      y: 2\n";
    expect(move(text, "a.o", "b.o")).toBe("a:\n  k: 1\nb:\n  o:\n      y: 2\n      # one\n      x: 1\n");
  });

  it.each([
    ["a taken place", "a:\n  l: 1\nb:\n  l: 2\n", "a.l", "b.l"],
    ["blocks with a key in common", "a:\n  o:\n    x: 1\nb:\n  o:\n    x: 2\n", "a.o", "b.o"],
    ["a scalar in the way", "a:\n  l: 1\nb: 3\n", "a.l", "b.c.l"],
    ["an anchor", "a:\n  l: &x 1\nb:\n  c: *x\n", "a.l", "b.l"],
    ["an alias", "c: &x 1\na:\n  l: *x\nb:\n  d: 1\n", "a.l", "b.l"],
    ["a block inside braces", "a:\n  l:\n    x: 1\nb: {c: 1}\n", "a.l", "b.l"],
    ["a block that an alias brings", "c: &x {l: 1}\na: *x\nb: {}\n", "a.l", "b.l"],
    ["an entry that is not there", "a: 1\n", "a.l", "b.l"],
  ])("refuses %s", (_, text, from, to) => {
    expect(move(text, from, to)).toBeUndefined();
  });
});
