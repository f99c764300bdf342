import * as vscode from "vscode";
import { Simulator } from "../../core/profile/simulator.js";
import { programPort } from "../../node/programPort.js";
import { CONFIG_LANGUAGES, YAML } from "../document/configLanguages.js";
import { blockAddress } from "../document/subject.js";
import type { Output } from "../output.js";
import { BlockEffects } from "./blockEffects.js";
import { BlockLevers } from "./blockLevers.js";
import { EffectHintsProvider, EffectLensProvider } from "./effectLens.js";
import { chooseLever, LeverActions } from "./leverActions.js";
import { LeverHintsProvider, LeverLensProvider } from "./leverLens.js";
import { SweepCommand } from "./sweepCommand.js";

/** Registers what the simulator shows: lens and hints with the effect of the offload and of single keys, and the commands "Lower the Peak…" and "What If…". */
export function registerSimulation(context: vscode.ExtensionContext, output: Output): SweepCommand {
  const program = vscode.Uri.joinPath(context.extensionUri, "dist", "simulator.cjs");
  const simulator = new Simulator(programPort(program.fsPath, output.log));
  const effects = new BlockEffects(simulator);
  const lenses = new EffectLensProvider(effects);
  const hints = new EffectHintsProvider(effects);
  const levers = new BlockLevers(effects, simulator);
  const leverLenses = new LeverLensProvider(levers);
  const leverHints = new LeverHintsProvider(levers);
  const sweep = new SweepCommand(context.extensionUri, simulator, levers, output);
  context.subscriptions.push(
    { dispose: () => simulator.dispose() },
    effects,
    lenses,
    hints,
    levers,
    leverLenses,
    leverHints,
    sweep,
    vscode.commands.registerCommand("offloadLens.levers", (address?: unknown) =>
      chooseLever(levers, blockAddress(address), output),
    ),
    vscode.commands.registerCommand("offloadLens.whatIf", (address?: unknown) => sweep.show(blockAddress(address))),
    // Of two lenses at one place, the one that was registered later stands first.
    vscode.languages.registerCodeLensProvider(CONFIG_LANGUAGES, leverLenses),
    vscode.languages.registerCodeLensProvider(CONFIG_LANGUAGES, lenses),
    vscode.languages.registerInlayHintsProvider(YAML, leverHints),
    vscode.languages.registerCodeActionsProvider(CONFIG_LANGUAGES, new LeverActions(levers), LeverActions.metadata),
    vscode.languages.registerInlayHintsProvider(YAML, hints),
  );
  return sweep;
}
