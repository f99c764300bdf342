import record from "./decoderFamilies.json";

/** What config.json does not say about a decoder. The record explains its members; the native engine embeds it. */
export interface DecoderFamily {
  readonly modelTypes: readonly string[];
  readonly isPlainDecoder?: boolean;
  readonly qkNorm?: boolean;
  readonly queryKeyValueBias?: boolean;
  readonly tiedByDefault?: boolean;
  readonly wideMlpByDefault?: boolean;
  /** Path of the body in the class with a head; absent: `model`. */
  readonly baseName?: string;
  readonly layersName?: string;
  readonly opModel?: string;
  readonly layerForm?: string;
  readonly rotaryShare?: number;
  readonly fullEvery?: number;
  readonly hasTwoRotaryTables?: boolean;
}

export const decoderFamilies: readonly DecoderFamily[] = record.families;

const byType = new Map(decoderFamilies.flatMap((family) => family.modelTypes.map((type) => [type, family] as const)));

/** The family of the first of the model types that the record has. */
export function decoderFamilyOf(modelTypes: readonly string[]): DecoderFamily | undefined {
  return modelTypes.map((type) => byType.get(type)).find((family) => family !== undefined);
}
