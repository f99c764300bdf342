import * as vscode from "vscode";
import type { Outcome } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { EffectFigures } from "../../core/effect/effectFigures.js";
import { effectHints } from "../../core/effect/effectHints.js";
import { effectLine, effectTooltip } from "../../core/effect/effectText.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { addressOf } from "../document/subject.js";
import { inTime } from "../inTime.js";
import type { BlockEffects } from "./blockEffects.js";

/** A line appears at the latest after this time; a slower answer brings it later. */
const LENS_WAIT_MS = 400;

/** The effect of the offload beside the other lenses of an engine block: what it frees, pins, hides and costs, simulated. */
export class EffectLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listener: vscode.Disposable;

  constructor(private readonly effects: BlockEffects) {
    this.#listener = effects.onDidChange(() => this.#changed.fire());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { settings } = await analyse(document);
    const lenses = await Promise.all(settings.map((block) => this.#lensesOf(document, block)));
    return lenses.flat();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listener.dispose();
  }

  async #lensesOf(document: vscode.TextDocument, block: OffloadSettings): Promise<vscode.CodeLens[]> {
    const effect = await effectInTime(this.effects.effectOf(document, block), () => this.#changed.fire());
    if (effect === undefined) return [];
    const start = rangeOf(document, block.modulesKeySpan ?? block.blockSpan).start;
    return [new vscode.CodeLens(new vscode.Range(start, start), commandFor(effect, document, block))];
  }
}

function commandFor(
  effect: Outcome<EffectFigures>,
  document: vscode.TextDocument,
  block: OffloadSettings,
): vscode.Command {
  if (effect.ok) {
    return {
      title: `$(pulse)\u00a0${effectLine(effect.value)}`,
      tooltip: `${effectTooltip(effect.value).replaceAll("\n\n", "\n")}\nClick to open the simulated step in the timeline.`,
      command: "offloadLens.simulate",
      arguments: [addressOf(document, block)],
    };
  }
  const { code, message, cause, nextStep } = effect.problem;
  return {
    title: `$(warning)\u00a0${visibleLine(message)}`,
    tooltip: visibleLine(`${code}: ${cause ?? ""} ${nextStep}`),
    command: "offloadLens.showLog",
  };
}

/** The same figures as grey text behind the lines that decide them. */
export class EffectHintsProvider implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changed.event;
  readonly #listener: vscode.Disposable;

  constructor(private readonly effects: BlockEffects) {
    this.#listener = effects.onDidChange(() => this.#changed.fire());
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const { settings } = await analyse(document);
    const hints: vscode.InlayHint[] = [];
    for (const block of settings) {
      const effect = await effectInTime(this.effects.effectOf(document, block), () => this.#changed.fire());
      if (effect?.ok !== true) continue;
      for (const { offset, label, tooltip } of effectHints(document.getText(), block, effect.value)) {
        const position = document.positionAt(offset);
        if (!range.contains(position)) continue;
        const hint = new vscode.InlayHint(position, label);
        hint.paddingLeft = true;
        hint.tooltip = new vscode.MarkdownString(tooltip);
        hints.push(hint);
      }
    }
    return hints;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#listener.dispose();
  }
}

/** The answer if it comes within the wait; else `whenLate` is called once it has come. Superseded answers are no answer. */
async function effectInTime(
  answer: Promise<Outcome<EffectFigures> | undefined>,
  whenLate: () => void,
): Promise<Outcome<EffectFigures> | undefined> {
  const first = await inTime(answer, LENS_WAIT_MS);
  if (first === undefined) {
    void answer.then(whenLate);
    return undefined;
  }
  const { value } = first;
  return value?.ok === false && value.problem.code === "SIMULATION_SUPERSEDED" ? undefined : value;
}
