import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import type { ExportRequest } from "../../core/timeline/query/protocol.js";
import { writingProblem } from "../../node/writePieces.js";
import { fileNameOf, type ProfileDocument } from "./profileDocument.js";

/** `null` where the user chose no place. */
export type Exported = Outcome<{ readonly path: string } | null>;

const FORMATS: Readonly<Record<ExportRequest["format"] | "png", { readonly label: string; readonly ending: string }>> =
  {
    csv: { label: "Comma-separated values", ending: "csv" },
    chrome: { label: "Chrome trace events", ending: "json" },
    offload: { label: "Offload profile", ending: "offload" },
    png: { label: "Picture", ending: "png" },
  };

/** Asks for a place and lets the document's thread write there. */
export async function exportTimeline(document: ProfileDocument, request: ExportRequest): Promise<Exported> {
  const path = await chooseTarget(document.firstUri, request.format);
  if (path === undefined) return succeed(null);
  const written = await document.write(request, path);
  return written.ok ? succeed({ path }) : written;
}

/** The same for a picture that the page drew. */
export async function savePicture(document: ProfileDocument, png: ArrayBuffer): Promise<Exported> {
  const path = await chooseTarget(document.firstUri, "png");
  if (path === undefined) return succeed(null);
  try {
    await writeFile(path, new Uint8Array(png));
    return succeed({ path });
  } catch (error) {
    return fail(writingProblem(path, error));
  }
}

async function chooseTarget(uri: vscode.Uri, format: keyof typeof FORMATS): Promise<string | undefined> {
  const { label, ending } = FORMATS[format];
  const name = `${fileNameOf(uri).replace(/(\.pt)?(\.trace)?\.(json|offload)(\.gz|\.zst)?$/i, "")}-export.${ending}`;
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(uri, "..", name),
    filters: { [label]: format === "chrome" ? ["json", "json.gz"] : [ending] },
  });
  return chosen?.scheme === "file" ? chosen.fsPath : undefined;
}
