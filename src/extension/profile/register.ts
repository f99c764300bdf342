import * as vscode from "vscode";
import { DEFAULT_STRATEGIES } from "../../core/profile/strategies.js";
import { programPort } from "../../node/programPort.js";
import { YAML } from "../document/configLanguages.js";
import { blockAddress } from "../document/subject.js";
import type { Output } from "../output.js";
import { simulatedDevice } from "../settings.js";
import { MeasuredProfiles } from "./measuredProfiles.js";
import { openLastProfile } from "./openLastProfile.js";
import { ProfileCommand } from "./profileCommand.js";

/** Registers what measures: the commands that profile and simulate a block, and the newest results as hints beside it. */
export function registerProfiling(context: vscode.ExtensionContext, output: Output): ProfileCommand {
  const measured = new MeasuredProfiles();
  const program = vscode.Uri.joinPath(context.extensionUri, "dist", "profiler.cjs");
  const profile = new ProfileCommand(
    programPort(program.fsPath, output.log),
    context.globalStorageUri,
    output,
    measured,
  );
  context.subscriptions.push(
    measured,
    vscode.languages.registerInlayHintsProvider(YAML, measured),
    vscode.commands.registerCommand("offloadLens.profile", (address?: unknown) => profile.run(blockAddress(address))),
    vscode.commands.registerCommand("offloadLens.profileWith", (address?: unknown) =>
      profile.runWith(blockAddress(address)),
    ),
    vscode.commands.registerCommand("offloadLens.simulate", (argument?: unknown) => {
      const address = blockAddress(argument);
      const uri = address === undefined ? undefined : vscode.Uri.parse(address.uri);
      return profile.run(address, { device: simulatedDevice(uri), strategies: DEFAULT_STRATEGIES });
    }),
    vscode.commands.registerCommand("offloadLens.openLastProfile", async () => {
      const problem = await openLastProfile(context.globalStorageUri);
      if (problem !== undefined) output.showProblem(problem);
    }),
    // A window that closes takes its run along.
    { dispose: () => profile.cancel() },
  );
  return profile;
}
