import { type ConfigDocument, parseConfig } from "../document/configDocument.js";
import { type DocumentKind, mightBeRelevant, recognise } from "./recognise.js";

/** A YAML file that configures verl's VeOmni engine, read once. */
export interface VerlFile {
  readonly form: "verl";
  readonly path: string;
  readonly document: ConfigDocument;
  readonly kind: DocumentKind;
}

/** Reads a YAML file of verl as OmegaConf does; `undefined` for every other file. Never throws, whatever the text is. */
export function readVerlFile(path: string, text: string): VerlFile | undefined {
  if (!mightBeRelevant(path, text)) return undefined;
  const document = parseConfig(text, "omegaconf");
  const kind = recognise(path, document);
  return kind === undefined ? undefined : { form: "verl", path, document, kind };
}
