import "./withoutEval.js";

import { type Outcome, succeed } from "../../../src/core/base/outcome.js";
import { AnsweringEnd } from "../../../src/core/channel.js";
import { defaultWorkload } from "../../../src/core/modules/estimate/estimateWorkload.js";
import { patternsFor } from "../../../src/core/modules/selection/pickPatterns.js";
import { selectModules } from "../../../src/core/modules/selection/select.js";
import { readTreeFile } from "../../../src/core/modules/source/treeFile.js";
import type { ModuleTree } from "../../../src/core/modules/tree.js";
import { describeModel, describeSelection } from "../../../src/core/modules/view/describe.js";
import type {
  ModulesHostMessage,
  ModulesLine,
  ModulesPageMessage,
  Preview,
} from "../../../src/core/modules/view/protocol.js";
import { applyTheme, type ThemeName } from "./themes.js";

/*
 * Stands in for VS Code inside the page of the Modules view: theme variables, and the extension's half of the protocol, with the same
 * core functions.
 */

declare global {
  interface Window {
    modulesHarness: {
      /** Shows the tree of a tree file with what `patterns` select on it. */
      open(treeFile: string, patterns: readonly string[]): void;
      /** Changes the patterns as typing in the editor does. */
      select(patterns: readonly string[]): void;
      send(message: ModulesHostMessage): void;
      setTheme(theme: ThemeName): void;
      /** What the page asked for, previews left out. */
      readonly asked: ModulesPageMessage[];
      readonly violations: string[];
    };
  }
}

let tree: ModuleTree | undefined;
let id = 0;
const asked: ModulesPageMessage[] = [];
const violations: string[] = [];

let hear: (message: unknown) => void = () => undefined;
const line = new AnsweringEnd<ModulesLine>(
  {
    post: (message) => window.postMessage(structuredClone(message), "*"),
    listen: (listener) => {
      hear = listener;
    },
  },
  { answer: preview, onTold: (message) => asked.push(message) },
);

function send(message: ModulesHostMessage): void {
  line.announce(message);
}

function select(patterns: readonly string[]): void {
  if (tree === undefined) return;
  const blockPath = "actor_rollout_ref.actor.veomni";
  const settings = { blockPath, blockSpan: { start: 0, end: 0 }, enabled: true, patterns };
  const config = { fileName: "veomni.yaml", settings, blocks: [blockPath] };
  send(describeSelection(tree, selectModules(tree, patterns), { ...defaultWorkload, microBatch: 2 }, id, config));
}

function preview({ rows }: ModulesLine["request"]): Outcome<Preview> {
  const shown = tree;
  if (shown === undefined) return succeed({ patterns: null, note: null });
  const names = rows.map((row) => shown.modules[row]?.name ?? "");
  return succeed({ patterns: patternsFor(shown, names), note: null });
}

Object.assign(window, {
  acquireVsCodeApi: () => ({ postMessage: (message: unknown) => hear(structuredClone(message)) }),
});

window.modulesHarness = {
  open(treeFile, patterns) {
    const read = readTreeFile(new TextEncoder().encode(treeFile));
    if (!read.ok) throw new Error(read.problem.message);
    tree = read.value;
    id += 1;
    send(describeModel(tree, "/models/sample", id));
    select(patterns);
  },
  select,
  send,
  asked,
  violations,
  setTheme: applyTheme,
};
window.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
