import { counted } from "../../core/base/quantities.js";
import { AskingEnd } from "../../core/channel.js";
import { describeLeftOut, describePoint, deviceMemory } from "../../core/sweep/explain.js";
import type { SweepHostMessage, SweepLine } from "../../core/sweep/sweepProtocol.js";
import { badge, registerControls, searchField, textButton } from "../kit/controls.js";
import { element, setAttributes, setText } from "../kit/element.js";
import { acquireHost } from "../kit/hostPort.js";
import { Beside } from "./beside.js";
import { SweepPlot } from "./plot.js";
import { PointTable } from "./pointTable.js";
import "./sweep.css";

/* The page of "What If…": a sweep as plot and table with one selection, and a button that writes the selected point. */

registerControls();
let result: Extract<SweepHostMessage, { type: "result" }> | undefined;
let selected = -1;

const heading = element("h1", {}, "What if …");
const about = element("p", { class: "muted about" });
const status = element("p", { role: "status", class: "status" });
/** Beside the explanation, which stays. */
const written = element("p", { role: "status", class: "written" });
const budget = searchField("Memory budget in GiB", "device memory", () => undefined);
budget.inputMode = "decimal";
budget.addEventListener("keydown", (event) => {
  if (event.key === "Enter") run();
});
const applyButton = textButton(
  "Write into the config",
  "Write the selected point into the configuration: one edit, which Undo takes back",
  apply,
);
const plot = new SweepPlot(select);
const table = new PointTable(select, apply);
const beside = new Beside();
const controls = element(
  "div",
  { class: "controls" },
  element("label", {}, "Fits in GiB ", budget),
  textButton("Simulate", "Simulate again with this budget", run),
  applyButton,
);
const page = document.getElementById("page") ?? document.body;
page.append(
  element("main", { class: "sweep" }, heading, about, controls, status, written, plot.root, table.root, beside.root),
);

const line = new AskingEnd<SweepLine>(acquireHost().port, { onAnnounced: receive });
line.tell({ type: "ready" });

function receive(message: SweepHostMessage): void {
  switch (message.type) {
    case "running":
      setText(heading, message.title);
      setText(written, "");
      beside.clear();
      setText(status, `Simulating, ${Math.floor((100 * message.done) / Math.max(1, message.total))} %`);
      break;
    case "result":
      show(message);
      break;
    case "beside":
      beside.show(message);
      break;
    case "problem": {
      const { code, message: what, cause, nextStep } = message.problem;
      setText(status, `${code}: ${what} ${cause ?? ""} ${nextStep}`);
      break;
    }
    case "applied":
      setText(written, writtenText(message));
  }
}

function show(message: Extract<SweepHostMessage, { type: "result" }>): void {
  result = message;
  const { sweep } = message;
  setText(heading, message.title);
  const limit = sweep.budgetBytes === null ? "" : `, budget ${deviceMemory(sweep.budgetBytes)}`;
  const { model, device } = sweep;
  setText(
    about,
    `${model.architecture || model.modelType}, ${counted(model.layers, "layer")}, ${sweep.seqLens.join("/")} tokens, on ${device.name}${limit}. `,
  );
  const mark = badge("simulated", device.source);
  about.append(mark, ` ${message.step}`);
  const doubt = message.unsure === null ? [] : [`No point is offered for writing: ${message.unsure}.`];
  const remarks = [
    ...doubt,
    ...sweep.leftOut.map(describeLeftOut),
    ...sweep.warnings.map((warning) => warning.message),
  ];
  setText(status, [sweep.explanation, ...remarks].join(" "));
  plot.show(sweep);
  table.show(sweep);
  select(sweep.best ?? sweep.front[0] ?? 0);
}

/** What was written, and what the file has no place for. */
function writtenText({ point, notes }: Extract<SweepHostMessage, { type: "applied" }>): string {
  const choice = result?.sweep.points[point];
  const what = choice === undefined ? "Written" : `Written: ${describePoint(choice)}`;
  return [`${what}. Undo takes it back.`, ...notes].join(" ");
}

function select(index: number): void {
  const point = result?.sweep.points[index];
  if (point === undefined) return;
  selected = index;
  plot.select(index);
  table.select(index);
  const isWritable = result?.writable[index] === true;
  applyButton.toggleAttribute("disabled", !isWritable);
  setAttributes(applyButton, {
    title: isWritable
      ? `Write ${describePoint(point)} into the configuration: one edit, which Undo takes back`
      : unwritable(point.strategy),
  });
}

function unwritable(strategy: string): string {
  const unsure = result?.unsure ?? null;
  return unsure === null
    ? `${strategy} is no setting of a VeOmni configuration`
    : `Not written: the step rests on an assumption (${unsure}). Set offloadLens.profile.seqLen or offloadLens.profile.ranks`;
}

function apply(): void {
  if (result?.writable[selected] === true) line.tell({ type: "apply", point: selected });
}

function run(): void {
  const text = budget.value.trim();
  const value = text === "" ? null : Number(text);
  if (value !== null && !(value > 0 && Number.isFinite(value))) {
    setText(status, `The budget ${text} is no number of GiB above 0.`);
    return;
  }
  line.tell({ type: "run", budgetGib: value });
}
