import type { Outcome } from "../../../src/core/base/outcome.js";
import { type DocumentReading, readingOf } from "../../../src/core/config/assist/documentReading.js";
import { type ConfigOutline, outlineOf } from "../../../src/core/config/assist/outline.js";
import { type PatternOccurrence, patternOccurrences } from "../../../src/core/config/assist/renamePattern.js";
import { type ConfigDocument, parseConfig } from "../../../src/core/config/document/configDocument.js";
import type { Diagnostic, TextEdit } from "../../../src/core/config/document/diagnostic.js";
import type { OffloadSettings } from "../../../src/core/config/document/offloadSettings.js";
import { documentOf, type Environment, readConfig } from "../../../src/core/config/readConfig.js";
import { checkTraining } from "../../../src/core/config/veomni/checkTraining.js";
import type { LayoutId } from "../../../src/core/config/veomni/layout.js";
import { trainingContext } from "../../../src/core/config/veomni/trainingContext.js";
import { readTrainingFile, type TrainingFile } from "../../../src/core/config/veomni/trainingFile.js";
import { trainingSettingsOf } from "../../../src/core/config/veomni/trainingSettings.js";
import type { DocumentKind } from "../../../src/core/config/verl/recognise.js";
import { readVerlFile } from "../../../src/core/config/verl/verlFile.js";
import { type ChoiceEdit, choiceEdit } from "../../../src/core/config/write/choiceEdits.js";
import { patternListEdit } from "../../../src/core/config/write/patternListEdit.js";
import type { SweepPoint } from "../../../src/core/sweep/points.js";

/* Tests have texts where features have what was read of them: each function reads, then asks. */

export function readingOfText(
  path: string,
  text: string,
  environment: Environment = {},
  layout?: LayoutId,
): DocumentReading | undefined {
  const yaml = readConfig(path, text, layout === undefined ? {} : { layout })?.yaml;
  return yaml && readingOf(yaml, environment);
}

export function outlineOfText(
  path: string,
  text: string,
  layout?: LayoutId,
): { readonly document: ConfigDocument; readonly outline: ConfigOutline } | undefined {
  const yaml = readConfig(path, text, layout === undefined ? {} : { layout })?.yaml;
  return yaml && { document: documentOf(yaml), outline: outlineOf(yaml) };
}

export function occurrencesIn(path: string, text: string): readonly PatternOccurrence[] {
  const read = readConfig(path, text);
  return read === undefined ? [] : patternOccurrences(read);
}

export function choiceInText(path: string, text: string, blockPath: string, choice: SweepPoint): Outcome<ChoiceEdit> {
  return choiceEdit(path, readConfig(path, text), blockPath, choice);
}

export function patternsInText(
  path: string,
  text: string,
  settings: OffloadSettings,
  patterns: readonly string[],
): Outcome<TextEdit> {
  return patternListEdit(readConfig(path, text) ?? { path, text, options: {}, fences: [] }, settings, patterns);
}

export function verlKindOf(path: string, text: string): DocumentKind | undefined {
  return readVerlFile(path, text)?.kind;
}

export function checkTrainingText(
  path: string,
  text: string,
  options: { readonly layout?: LayoutId } = {},
): { readonly dialect: LayoutId; readonly diagnostics: Diagnostic[] } | undefined {
  const file = readTrainingFile(path, text, options.layout);
  return file && { dialect: file.context.layout, diagnostics: checkTraining(file, options) };
}

export function trainingSettingsIn(
  path: string,
  text: string,
  options: { readonly layout?: LayoutId } = {},
): OffloadSettings[] {
  const file = readTrainingFile(path, text, options.layout);
  return file === undefined ? [] : [trainingSettingsOf(file.context)];
}

/** Any text as VeOmni's training YAML, recognised or not. */
export function asTrainingFile(text: string): TrainingFile {
  const path = "train.yaml";
  return { form: "training", path, context: trainingContext(path, parseConfig(text, "pyyaml")) };
}
