import * as assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { TestApi } from "../../src/extension/main.js";
import { eventually, openNewConfig, testApi } from "./session.js";

/** Large enough that its import outlasts some edits on any machine. */
const TRACE_BYTES = 400 * 2 ** 20;
/** Edits during the import at least, and reports of progress between them: the import went on meanwhile. */
const LEAST_EDITS = 5;
const LEAST_REPORTS_BETWEEN = 2;
/** No import takes so many. */
const MOST_EDITS = 5_000;

/** One kernel, and names of threads: they are read like everything else, but take no memory. */
function writeLargeTrace(path: string): void {
  const names = Array.from({ length: 5_000 }, (_, at) => {
    const args = `{"name":"worker ${at % 8}","labels":"","sort_index":${at},"grid":[1,2,3],"block":[128,1,1]}`;
    return `{"ph":"M","name":"thread_name","pid":531,"tid":${at % 8},"ts":${at * 10}.125,"args":${args}},\n`;
  });
  const part = Buffer.from(names.join(""));
  const file = openSync(path, "w");
  writeSync(file, '{"traceEvents":[\n');
  for (let bytes = 0; bytes < TRACE_BYTES; bytes += part.length) writeSync(file, part);
  writeSync(file, '{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1.5,"dur":8}]}');
  closeSync(file);
}

async function append(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe("A timeline", () => {
  let api: TestApi;
  let folder = "";
  before(async () => {
    api = await testApi();
    folder = mkdtempSync(join(tmpdir(), "timeline-"));
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(folder, { recursive: true, force: true });
  });

  it("lets one type while a large file is imported", async function () {
    this.timeout(180_000);
    const path = join(folder, "large.trace.json");
    writeLargeTrace(path);
    const { document } = await openNewConfig("notes.yaml", "# typed: ");
    const before = { ...api.imports };
    const opening = vscode.commands.executeCommand("offloadLens.openTrace", vscode.Uri.file(path));
    await eventually("the import to begin", () => (api.imports.reports > before.reports ? true : undefined));
    const begun = api.imports.reports;
    let edits = 0;
    let reportsAtLastEdit = begun;
    while (edits < MOST_EDITS) {
      await append(document, "x");
      // One that came too late says nothing about typing during an import.
      if (api.imports.ended > before.ended) break;
      edits++;
      reportsAtLastEdit = api.imports.reports;
    }
    assert.ok(edits >= LEAST_EDITS, `${edits} edits were applied during the import`);
    assert.ok(reportsAtLastEdit - begun >= LEAST_REPORTS_BETWEEN, `${reportsAtLastEdit - begun} reports between edits`);
    assert.match(document.getText(), new RegExp(`^# typed: x{${edits},${edits + 1}}$`));
    await opening;
    assert.equal(api.imports.ended, before.ended + 1);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("ends its import where the file is broken, in its own editor", async () => {
    const path = join(folder, "empty.trace.json");
    writeFileSync(path, "");
    const { ended } = api.imports;
    await vscode.commands.executeCommand("offloadLens.openTrace", vscode.Uri.file(path));
    await eventually("the import to end", () => (api.imports.ended > ended ? true : undefined));
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === "offloadLens.trace");
  });
});
