import * as vscode from "vscode";
import type { Problem } from "../core/base/outcome.js";
import { DEFAULT_STRATEGIES } from "../core/profile/strategies.js";
import type { BlockAddress } from "./language/codeLens.js";
import type { ModulesView } from "./modules/modulesView.js";
import type { Output } from "./output.js";
import type { ProfileCommand } from "./profile/profileCommand.js";
import type { ImportCounts } from "./timeline/profileDocument.js";

/** What `activate` gives to tests that run inside the editor; not for other extensions. */
export interface TestApi {
  /** Of the profiler process, while a profile runs. */
  profilerPid(): number | undefined;
  lastProblem(): Problem | undefined;
  /** How many error messages were shown since the start. */
  problemsShown(): number;
  /** Path of the newest saved profile of this session. */
  lastSaved(): string | undefined;
  cancelProfile(): void;
  readonly modules: ModulesView;
  /** What the imports of all timeline tabs came to. */
  readonly imports: Readonly<ImportCounts>;
  readonly activationMs: number;
}

/** Registers everything; features are loaded right after, so that the editor does not wait for them. */
export async function activate(context: vscode.ExtensionContext): Promise<TestApi> {
  const started = performance.now();
  const { Output } = await import("./output.js");
  const output = new Output();
  context.subscriptions.push(output);
  try {
    const { registerProfileEditor } = await import("./timeline/profileEditor.js");
    const imports = registerProfileEditor(context);
    const profile = await registerCommands(context, output);
    const modules = await registerLanguageFeatures(context, output);
    const activationMs = performance.now() - started;
    output.log.info(`activated in ${activationMs.toFixed(0)} ms`);
    return {
      profilerPid: () => profile.profilerPid,
      lastProblem: () => output.lastProblem,
      problemsShown: () => output.problemsShown,
      lastSaved: () => profile.lastSaved,
      cancelProfile: () => profile.cancel(),
      modules,
      imports,
      activationMs,
    };
  } catch (error) {
    // The editor itself shows nothing when an extension cannot start.
    const reason = error instanceof Error ? error.message : String(error);
    output.showProblem({
      code: "ACTIVATION_FAILED",
      message: "Offload Lens could not start.",
      cause: reason,
      nextStep: "Reload the window; if it stays, reinstall the extension and report it with the log.",
    });
    throw error;
  }
}

async function registerCommands(context: vscode.ExtensionContext, output: Output): Promise<ProfileCommand> {
  const { ProfileCommand } = await import("./profile/profileCommand.js");
  const { profilerPort } = await import("./profile/profilerPort.js");
  const { chooseModelDirectory } = await import("./model/modelDirectory.js");
  const port = profilerPort(context.extensionUri, output.log);
  const { MeasuredProfiles } = await import("./profile/measuredProfiles.js");
  const measured = new MeasuredProfiles();
  const profile = new ProfileCommand(port, context.globalStorageUri, output, measured);
  context.subscriptions.push(
    measured,
    vscode.languages.registerInlayHintsProvider({ language: "yaml" }, measured),
    vscode.commands.registerCommand("offloadLens.profileWith", (address?: unknown) =>
      profile.runWith(blockAddress(address)),
    ),
    vscode.commands.registerCommand("offloadLens.profile", (address?: unknown) => profile.run(blockAddress(address))),
    vscode.commands.registerCommand("offloadLens.simulate", async (address?: unknown) => {
      const { simulatedDevice } = await import("./whatIf/blockEffects.js");
      const block = blockAddress(address);
      const uri = block === undefined ? undefined : vscode.Uri.parse(block.uri);
      await profile.run(block, { device: simulatedDevice(uri), strategies: DEFAULT_STRATEGIES });
    }),
    vscode.commands.registerCommand("offloadLens.chooseModelDirectory", chooseModelDirectory),
    vscode.commands.registerCommand("offloadLens.showLog", () => output.log.show()),
    vscode.commands.registerCommand("offloadLens.openSample", async () => {
      const { openSample } = await import("./timeline/sample.js");
      await openSample(context.extensionUri, context.globalStorageUri);
    }),
    vscode.commands.registerCommand("offloadLens.openLastProfile", async () => {
      const { openLastProfile } = await import("./profile/openLastProfile.js");
      const problem = await openLastProfile(context.globalStorageUri);
      if (problem !== undefined) output.showProblem(problem);
    }),
    // A window that closes takes its run along.
    { dispose: () => profile.cancel() },
  );
  return profile;
}

async function registerLanguageFeatures(context: vscode.ExtensionContext, output: Output): Promise<ModulesView> {
  const { startAnalysisThread } = await import("./language/documentAnalysis.js");
  context.subscriptions.push(startAnalysisThread(context.extensionUri, output));
  const [{ registerDiagnostics }, { FixProvider }, { OffloadLensProvider }, { SelectionDocuments }] = await Promise.all(
    [
      import("./language/diagnostics.js"),
      import("./language/codeActions.js"),
      import("./language/codeLens.js"),
      import("./modules/selectionDocument.js"),
    ],
  );
  const { TreeCache } = await import("./model/treeCache.js");
  const { LanguageStatus } = await import("./language/languageStatus.js");
  const trees = new TreeCache(vscode.Uri.joinPath(context.globalStorageUri, "module-dumps").fsPath);
  // Of two lenses at one place, the one that was registered later stands first.
  const { registerSimulation } = await import("./whatIf/simulationFeatures.js");
  registerSimulation(context, output, blockAddress);
  const lenses = new OffloadLensProvider(trees);
  const selections = new SelectionDocuments(trees);
  context.subscriptions.push(
    registerDiagnostics(),
    vscode.languages.registerCodeActionsProvider(CONFIG_LANGUAGES, new FixProvider(), FixProvider.metadata),
    lenses,
    vscode.languages.registerCodeLensProvider(CONFIG_LANGUAGES, lenses),
    selections,
    vscode.commands.registerCommand("offloadLens.showSelection", (address?: unknown) =>
      selections.show(blockAddress(address)),
    ),
    new LanguageStatus(),
  );
  const { registerEditing } = await import("./language/languageFeatures.js");
  const { registerMigration } = await import("./language/migrationFeatures.js");
  context.subscriptions.push(registerEditing(trees), registerMigration(output));
  const { registerModules } = await import("./modules/modulesFeatures.js");
  return registerModules(context, trees, output);
}

/** YAML, and where overrides and flags are written. */
const CONFIG_LANGUAGES: vscode.DocumentSelector = ["yaml", "shellscript", "markdown"].map((language) => ({ language }));

/** Commands can be called by anyone with anything: from menus with a URI, from the palette with nothing. */
function blockAddress(argument: unknown): BlockAddress | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { uri, blockPath } = argument as { readonly uri?: unknown; readonly blockPath?: unknown };
  return typeof uri === "string" && typeof blockPath === "string" ? { uri, blockPath } : undefined;
}
