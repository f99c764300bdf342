import * as vscode from "vscode";
import type { Outcome } from "../../core/base/outcome.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { readConfig, settingsOf } from "../../core/config/readConfig.js";
import { blockRequest } from "../../core/lever/leverRequest.js";
import type { LeverTable } from "../../core/lever/leverTable.js";
import { runLevers } from "../../core/lever/runLevers.js";
import type { ProfileRequest } from "../../core/profile/request.js";
import type { ProfileResult } from "../../core/profile/result.js";
import type { Simulator } from "../../core/profile/simulator.js";
import { checkOptionsOf } from "../document/checkOptions.js";
import { simulatedDevice } from "../settings.js";
import { stepOf } from "../stepWorkload.js";
import type { BlockEffects } from "./blockEffects.js";

/** Levers wait until a text has not been edited for so long: the lens with the effect comes first. */
const QUIET_MS = 600;
/** Answers that are kept by their requests: most keys of an edited text ask what was asked before. */
const MOST_KNOWN = 512;
/** The file is read once for every key that is tried, beside the editor's own work. */
const LONGEST_TEXT = 60_000;

interface Found {
  readonly version: number;
  /** Absent while it is waited for, and where nothing can be said. */
  readonly table: LeverTable | undefined;
}

/**
 * What single keys of an engine block would do, simulated behind the lens: nothing here is waited for. `tableOf` gives what is known of
 * the document's version and sees to the rest; `onDidChange` tells when to ask again. An edit ends what runs for the text before.
 */
export class BlockLevers implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #found = new Map<string, Found>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #answers = new Map<string, Outcome<ProfileResult>>();
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly effects: BlockEffects,
    private readonly simulator: Simulator,
  ) {
    this.#listeners = vscode.Disposable.from(
      effects.onDidChange(() => this.#found.clear()),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)),
    );
  }

  /** The levers of a block in the text as it stands, once they are known. */
  tableOf(document: vscode.TextDocument, { blockPath }: OffloadSettings): LeverTable | undefined {
    const key = keyOf(document, blockPath);
    const found = this.#found.get(key);
    if (found?.version === document.version) return found.table;
    this.#found.set(key, { version: document.version, table: undefined });
    clearTimeout(this.#timers.get(key));
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      void this.#run(document, blockPath, key);
    }, QUIET_MS);
    this.#timers.set(key, timer);
    return undefined;
  }

  /** The same, waited for; `undefined` where nothing can be said, or the text is edited meanwhile. */
  async whenKnown(document: vscode.TextDocument, block: OffloadSettings): Promise<LeverTable | undefined> {
    const key = keyOf(document, block.blockPath);
    const known = this.tableOf(document, block);
    if (known !== undefined) return known;
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    await this.#run(document, block.blockPath, key);
    const found = this.#found.get(key);
    return found?.version === document.version ? found.table : undefined;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#found.clear();
    this.#changed.dispose();
    this.#listeners.dispose();
  }

  async #run(document: vscode.TextDocument, blockPath: string, key: string): Promise<void> {
    const { version } = document;
    const text = document.getText();
    if (text.length > LONGEST_TEXT || !vscode.workspace.isTrusted) return;
    const options = checkOptionsOf(document);
    const read = readConfig(document.uri.path, text, options);
    const block = read && settingsOf(read, process.env).find((each) => each.blockPath === blockPath);
    if (read === undefined || block === undefined) return;
    const configJson = await this.effects.configJsonOf(document, block);
    if (configJson === undefined) return;
    const device = simulatedDevice(document.uri);
    const table = await runLevers(
      (request) => this.#simulate(request),
      {
        read,
        block,
        environment: process.env,
        options,
        requestOf: (changed) => blockRequest(configJson, changed, stepOf(document.uri, changed), device),
        pause: () => new Promise((resume) => setImmediate(resume)),
      },
      () => this.#found.get(key)?.version !== version || document.isClosed,
    );
    if (!table.ok || this.#found.get(key)?.version !== version) return;
    this.#found.set(key, { version, table: table.value });
    this.#changed.fire();
  }

  async #simulate(request: ProfileRequest): Promise<Outcome<ProfileResult>> {
    const key = JSON.stringify(request);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await this.simulator.simulate(request);
    if (!answer.ok) return answer;
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MOST_KNOWN && oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(key, answer);
    return answer;
  }

  #forget(document: vscode.TextDocument): void {
    const prefix = keyOf(document, "");
    for (const key of this.#found.keys()) if (key.startsWith(prefix)) this.#found.delete(key);
  }
}

function keyOf(document: vscode.TextDocument, blockPath: string): string {
  return `${document.uri.toString()}\n${blockPath}`;
}
