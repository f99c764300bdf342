import * as vscode from "vscode";
import { describeProblem, type Problem } from "../core/base/outcome.js";
import { visibleLine } from "../core/base/visibleText.js";
import { DUMP_CANCELLED } from "../core/modules/source/pythonDump.js";
import { CANCELLED } from "../core/profile/profilerProblems.js";
import { tellError, tellInStatusBar } from "./told.js";

/** What a message offers: a command, or what `run` does. */
export type ProblemAction = { readonly title: string } & (
  | { readonly command: string }
  | { readonly run: () => unknown }
);

/** The log of the extension ("Offload Lens" in the Output view) and the one way in which problems reach the user. */
export class Output implements vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel("Offload Lens", { log: true });
  /** One line each, whatever the names in it. */
  readonly log = {
    info: (line: string) => this.#channel.info(visibleLine(line)),
    warn: (line: string) => this.#channel.warn(visibleLine(line)),
    error: (line: string) => this.#channel.error(visibleLine(line)),
    show: () => this.#channel.show(),
  };
  #lastProblem: Problem | undefined;
  #problemsShown = 0;

  get lastProblem(): Problem | undefined {
    return this.#lastProblem;
  }

  /** How many error messages the user has seen. */
  get problemsShown(): number {
    return this.#problemsShown;
  }

  /**
   * Shows one message with a button for the log, and `action` if there is something better to do. A cancelled run is
   * logged only: who cancelled knows. Resolves once the message is up, not when it is closed.
   */
  showProblem(problem: Problem, action?: ProblemAction): void {
    this.#lastProblem = problem;
    this.log.error(describeProblem(problem));
    if (problem.code === CANCELLED || problem.code === DUMP_CANCELLED) {
      tellInStatusBar("Offload Lens: cancelled", 3000);
      return;
    }
    this.#problemsShown++;
    const buttons = [...(action === undefined ? [] : [action.title]), "Show Log"];
    void tellError(`Offload Lens: ${describeProblem(problem)}`, ...buttons).then((chosen) => {
      if (chosen === undefined) return;
      if (action === undefined || chosen !== action.title) this.log.show();
      else if ("command" in action) void vscode.commands.executeCommand(action.command);
      else void action.run();
    });
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
