import { AskingEnd } from "../../core/channel.js";
import type {
  ModelMessage,
  ModulesCommand,
  ModulesHostMessage,
  ModulesLine,
} from "../../core/modules/view/protocol.js";
import { progressRing, registerControls, textButton, textField } from "../kit/controls.js";
import { element, setText } from "../kit/element.js";
import { acquireHost } from "../kit/hostPort.js";
import { problemNotice } from "../kit/problemNotice.js";
import { ModulesFooter } from "./modulesFooter.js";
import { ModulesHeader } from "./modulesHeader.js";
import { ModulesModel } from "./modulesModel.js";
import { PickBar } from "./pickBar.js";
import "./modules.css";
import { TreeList } from "./treeList.js";

/* The browser half of the Modules view: shows the model that the extension announces, and asks it to write picks. */

registerControls();
const page = document.getElementById("page") ?? document.body;
let model: ModulesModel | undefined;
let drawing = false;
/** The ticks that the newest question was about. */
let asked = "";
/** Only its answer counts. */
let question: object | undefined;

const header = new ModulesHeader((blockPath) => line.tell({ type: "chooseBlock", blockPath }));
const tree = new TreeList({
  copy: (rows) => {
    if (model !== undefined) line.tell({ type: "copy", model: model.model.id, rows });
  },
  find: () => filter.focus(),
});
const picks = new PickBar({
  apply: () => run("apply"),
  copy: () => {
    if (model !== undefined) line.tell({ type: "copy", model: model.model.id, rows: model.picks.rows() });
  },
  revert: () => run("revert"),
});
const footer = new ModulesFooter();
const filter = textField("Filter by name or class", "Filter by name or class", (text) => model?.setFilter(text));
filter.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "Escape") return;
  event.preventDefault();
  tree.root.focus();
});
const found = element("span", { class: "muted found" });
const view = element(
  "main",
  { class: "view" },
  header.root,
  element("div", { class: "filter-line" }, filter, found),
  tree.root,
  picks.root,
  footer.root,
  footer.announcer,
);

const line = new AskingEnd<ModulesLine>(acquireHost().port, { onAnnounced: receive });
line.tell({ type: "ready" });

function receive(message: ModulesHostMessage): void {
  switch (message.type) {
    case "model":
      open(message);
      break;
    case "selection":
      if (model?.model.id === message.model) model.select(message);
      break;
    case "copied":
      footer.announce(`Copied ${message.text}`);
      break;
    case "command":
      run(message.command);
      break;
    case "loading":
      notice(progressRing(), element("p", { role: "status" }, `Reading ${message.shown} …`));
      break;
    case "empty":
      notice(element("p", {}, message.reason), chooseButton());
      break;
    case "problem":
      model = undefined;
      page.replaceChildren(problemNotice(message.problem, chooseButton()));
  }
}

function open(message: ModelMessage): void {
  (filter as HTMLElement & { value: string }).value = "";
  model = new ModulesModel(message, drawSoon);
  asked = "";
  page.replaceChildren(view);
  drawSoon();
}

function run(command: ModulesCommand): void {
  if (model === undefined) return;
  if (command === "apply" && model.isPicking) {
    line.tell({ type: "apply", model: model.model.id, rows: model.picks.rows() });
  }
  if (command === "revert") model.revert();
  if (command === "collapseAll") model.collapseAll();
  if (command === "find") filter.focus();
}

/** However much changes at once, the page is drawn once for a frame. */
function drawSoon(): void {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (model !== undefined) draw(model);
  });
}

function draw(shown: ModulesModel): void {
  header.show(shown);
  tree.show(shown);
  picks.show(shown);
  footer.show(shown);
  setText(found, shown.filter === undefined ? "" : `${shown.filter.total} found`);
  askForPreview(shown);
}

function askForPreview(shown: ModulesModel): void {
  if (!shown.isPicking) {
    asked = "";
    return;
  }
  const rows = shown.picks.rows();
  const key = rows.join();
  if (key === asked) return;
  asked = key;
  void showPreview({ kind: "preview", model: shown.model.id, rows });
}

async function showPreview(request: ModulesLine["request"]): Promise<void> {
  question = request;
  const { answer } = line.ask(request);
  const preview = await answer;
  if (question === request && preview.ok) model?.showPreview(preview.value);
}

function notice(...parts: readonly HTMLElement[]): void {
  model = undefined;
  page.replaceChildren(element("main", { class: "notice" }, ...parts));
}

function chooseButton(): HTMLElement {
  const button = textButton("Choose Model…", "A directory, a tree file, a config.json or a model id", () =>
    line.tell({ type: "chooseModel" }),
  );
  button.setAttribute("appearance", "primary");
  return button;
}
