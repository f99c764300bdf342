import * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { Lever, LeverTable } from "../../core/lever/leverTable.js";
import { leverEffect, shortKey, valueText } from "../../core/lever/leverText.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import { type BlockAddress, documentOf, subjectIn } from "../document/subject.js";
import type { Output } from "../output.js";
import { pickable } from "../told.js";
import type { BlockLevers } from "./blockLevers.js";

/** More in the list of a light bulb is no help. */
const MOST_ACTIONS = 8;

/** Offers the levers of a block where its first line or its list of modules stands: each writes one key, titled with what it does. */
export class LeverActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  constructor(private readonly levers: BlockLevers) {}

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const { settings } = await analyse(document);
    return settings.flatMap((block) => {
      const table = isAt(document, block, range) ? this.levers.tableOf(document, block) : undefined;
      if (table === undefined || table.unsure !== undefined) return [];
      return table.levers.slice(0, MOST_ACTIONS).map((lever) => {
        const action = new vscode.CodeAction(writeTitle(lever, table), vscode.CodeActionKind.QuickFix);
        action.edit = editOf(document, lever);
        return action;
      });
    });
  }
}

function isAt(document: vscode.TextDocument, block: OffloadSettings, range: vscode.Range): boolean {
  const starts = [block.blockSpan, ...(block.modulesKeySpan === undefined ? [] : [block.modulesKeySpan])];
  return starts.some(({ start }) => {
    const { line } = document.positionAt(start);
    return range.start.line <= line && line <= range.end.line;
  });
}

/** `Set use_fused_kernels to true: peak 71.3 → 17.6 GiB, step +2.4 %, simulated`. */
function writeTitle(lever: Lever, table: LeverTable): string {
  return `Set ${shortKey(lever.key)} to ${valueText(lever.value)}: ${leverEffect(lever, table)}, simulated`;
}

function editOf(document: vscode.TextDocument, { edit }: Lever): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, rangeOf(document, edit.span), edit.newText);
  return change;
}

/** The command "Lower the Peak…": lists every lever of a block and writes the chosen one as one edit. */
export async function chooseLever(
  levers: BlockLevers,
  address: BlockAddress | undefined,
  output: Output,
): Promise<void> {
  const document = await documentOf(address);
  const subject = document === undefined ? undefined : await subjectIn(document, address?.blockPath);
  if (subject === undefined) {
    output.showProblem(noBlock);
    return;
  }
  const { block } = subject;
  const table = await levers.whenKnown(subject.document, block);
  if (table === undefined || table.levers.length === 0) {
    output.showProblem(table === undefined ? nothingKnown : noLever);
    return;
  }
  const { version } = subject.document;
  const items = table.levers.map((lever) => ({
    label: `${shortKey(lever.key)} = ${valueText(lever.value)}`,
    description: leverEffect(lever, table),
    detail: lever.key,
    lever,
  }));
  const placeHolder =
    table.unsure === undefined
      ? `Simulated on ${table.deviceName}: choose the key to write`
      : `Simulated on ${table.deviceName}; nothing is written: ${table.unsure}`;
  const chosen = await vscode.window.showQuickPick(pickable(items), { placeHolder, matchOnDetail: true });
  if (chosen === undefined || table.unsure !== undefined) return;
  if (subject.document.version !== version) output.showProblem(edited);
  else await vscode.workspace.applyEdit(editOf(subject.document, chosen.lever));
}

const noBlock = {
  code: "CONFIG_FOREIGN",
  message: "No configuration with an engine block is open.",
  nextStep: "Open a verl config or VeOmni's training YAML, then try again.",
};

const nothingKnown = {
  code: "LEVERS_UNKNOWN",
  message: "Nothing is known of single keys of this block.",
  cause: "Its model is not known, its step cannot be simulated, or the workspace is not trusted.",
  nextStep: "Choose the directory with the model's config.json, and see the lens of the block for what is wrong.",
};

const noLever = {
  code: "LEVERS_NONE",
  message: "No single key of this block would lower the peak of its step.",
  nextStep: "What If… tries several settings together.",
};

const edited = {
  code: "EDIT_REFUSED",
  message: "The file was edited while the list was open.",
  nextStep: "Open the list again.",
};
