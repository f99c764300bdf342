import * as vscode from "vscode";
import type { Problem } from "../core/base/outcome.js";
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

/**
 * Registers everything, room by room. The rooms are loaded in here and waited for: a problem with one of them is shown, and no command
 * comes before what it needs. The editor does not wait; how long it took stands in the log.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestApi> {
  const started = performance.now();
  const { Output } = await import("./output.js");
  const output = new Output();
  context.subscriptions.push(output);
  try {
    const { profile, modules, imports } = await registerRooms(context, output);
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

interface Rooms {
  readonly imports: Readonly<ImportCounts>;
  readonly profile: ProfileCommand;
  readonly modules: ModulesView;
}

async function registerRooms(context: vscode.ExtensionContext, output: Output): Promise<Rooms> {
  const { extensionUri, globalStorageUri, subscriptions } = context;
  const { registerProfileEditor } = await import("./timeline/profileEditor.js");
  const imports = registerProfileEditor(context);
  const { registerProfiling } = await import("./profile/register.js");
  const profile = registerProfiling(context, output);
  subscriptions.push(
    vscode.commands.registerCommand("offloadLens.showLog", () => output.log.show()),
    vscode.commands.registerCommand("offloadLens.openSample", async () => {
      const { openSample } = await import("./timeline/sample.js");
      await openSample(extensionUri, globalStorageUri);
    }),
  );
  const { startAnalysisThread } = await import("./document/documentAnalysis.js");
  subscriptions.push(startAnalysisThread(extensionUri, output));
  // Of two lenses at one place, the one that was registered later stands first.
  const { registerSimulation } = await import("./whatIf/register.js");
  registerSimulation(context, output);
  const { TreeCache } = await import("./model/treeCache.js");
  const trees = new TreeCache(vscode.Uri.joinPath(globalStorageUri, "module-dumps").fsPath);
  const { registerLanguage } = await import("./language/register.js");
  const { registerModelCommands } = await import("./modelCommands/register.js");
  subscriptions.push(registerLanguage(trees, output), registerModelCommands(extensionUri, trees, output));
  const { registerModules } = await import("./modules/register.js");
  return { imports, profile, modules: registerModules(context, trees, output) };
}
