import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parseDocument } from "yaml";
import { getLanguageService, type LanguageService } from "yaml-language-server";
import { complete } from "../../src/core/config/assist/complete.js";
import { hoverAt } from "../../src/core/config/assist/hover.js";
import type { ConfigOutline } from "../../src/core/config/assist/outline.js";
import { verlEngineFields } from "../../src/core/config/verl/fields/verlEngine.js";
import { readingOfText } from "../unit/config/ofText.js";
import type { Comparison } from "./comparison.js";

const uri = "file:///veomni.yaml";

/** The sample, blocks of other keys, and an engine block at the end in which a key is typed. */
function longConfig(targetLines: number): string {
  const lines = readFileSync(join(process.cwd(), "media", "sample", "veomni.yaml"), "utf8").split("\n");
  for (let at = 0; lines.length < targetLines - 4; at += 1) {
    lines.push(`extra_${at}:`, `  # what it is for`, `  path: /data/part-${at}`, `  tags: [a, b, "c${at}"]`);
  }
  lines.push("critic:", "  veomni:", "    forward_only: true", "    ena");
  return lines.join("\n");
}

/** The same keys as a schema, for a server that knows schemas only. */
function schemaOfBlock(): object {
  const properties = Object.fromEntries(
    verlEngineFields
      .filter(({ key }) => !key.includes("."))
      .map(({ key, description }) => [key, { description, type: ["boolean", "number", "string", "array", "object"] }]),
  );
  const block = { type: "object", properties };
  const role = { type: "object", properties: { veomni: block } };
  const roles = { type: "object", properties: { actor: role, ref: role } };
  return { type: "object", properties: { critic: role, actor_rollout_ref: roles } };
}

function yamlServer(): LanguageService {
  const schemaRequestService = (): Promise<string> => Promise.resolve("{}");
  const workspaceContext = { resolveRelativePath: (path: string): string => path };
  const service = getLanguageService({ schemaRequestService, workspaceContext });
  const schemas = [{ uri: "schema:veomni", fileMatch: ["*.yaml"], schema: schemaOfBlock() }];
  service.configure({ completion: true, hover: true, validate: false, schemas });
  return service;
}

function outlineOf(text: string): ConfigOutline {
  const outline = readingOfText("veomni.yaml", text)?.outline;
  if (outline === undefined) throw new Error("the configuration is not recognised");
  return outline;
}

const inputText = (text: string): string => `${text.split("\n").length.toLocaleString("en")} lines`;

/** A new version of a document at every request, as typing makes one. */
function versions(text: string): () => TextDocument {
  let version = 0;
  return () => TextDocument.create(uri, "yaml", ++version, text);
}

function completion(lines: number): () => Promise<Comparison> {
  return async () => {
    const text = longConfig(lines);
    const outline = outlineOf(text);
    const server = yamlServer();
    const next = versions(text);
    const position = next().positionAt(text.length);
    const theirs = await server.doComplete(next(), position, false);
    const wanted = "enable_async_activation_offload";
    const ours = complete(text, text.length, outline);
    if (!ours.some(({ label }) => label === wanted)) throw new Error("we do not offer the key");
    if (!theirs.items.some(({ label }) => label === wanted)) throw new Error("yaml-language-server lacks the key");
    return {
      ours: "completion of a key from the lines around it, an earlier parse at hand",
      reference: "yaml-language-server after an edit, same keys as a schema",
      input: inputText(text),
      rounds: lines > 10_000 ? 1 : 5,
      run: () => complete(text, text.length, outline),
      runReference: () => server.doComplete(next(), position, false),
    };
  };
}

function hover(lines: number): () => Promise<Comparison> {
  return async () => {
    const text = longConfig(lines);
    const outline = outlineOf(text);
    const server = yamlServer();
    const next = versions(text);
    const offset = text.lastIndexOf("forward_only") + 3;
    const position = next().positionAt(offset);
    if (hoverAt(text, offset, { outline }) === undefined) throw new Error("we tell nothing");
    if ((await server.doHover(next(), position)) === null) throw new Error("yaml-language-server tells nothing");
    return {
      ours: "hover on a key from the lines around it, an earlier parse at hand",
      reference: "yaml-language-server after an edit, same keys as a schema",
      input: inputText(text),
      rounds: lines > 10_000 ? 1 : 5,
      run: () => hoverAt(text, offset, { outline }),
      runReference: () => server.doHover(next(), position),
    };
  };
}

/** What the editor learns from a new version: outline, symbols, folds, links, hints, pattern lists. */
export function editorReading(): Comparison {
  const text = longConfig(5_000);
  outlineOf(text);
  return {
    ours: "reading of a configuration for the editor, parse included",
    reference: "the `yaml` package parsing the same text",
    input: inputText(text),
    run: () => readingOfText("veomni.yaml", text),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}

export const completionShort = completion(5_000);
export const completionLong = completion(50_000);
export const hoverShort = hover(5_000);
export const hoverLong = hover(50_000);
