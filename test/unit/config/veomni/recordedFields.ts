import { trainingFixture } from "./checkedTraining.js";

interface RecordedField {
  readonly pathTrainScoped: string | null;
  readonly pathModelScoped: string | null;
  readonly type: string;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly default: unknown;
  readonly allowed?: readonly string[];
  readonly constraints: readonly string[];
  readonly since: string;
  readonly trainers?: readonly string[];
  readonly description: string;
  readonly pitfall?: string;
}

interface RecordedFields {
  readonly fields: readonly RecordedField[];
  readonly relocated: Readonly<Record<string, string>>;
  readonly flatToNested: Readonly<Record<string, string>>;
  readonly wrongKeys: readonly string[];
  readonly crossField: readonly { readonly id: string; readonly severity: string }[];
}

/** What was extracted from VeOmni's dataclasses, independent of our own table. */
export const recordedFields = JSON.parse(trainingFixture("recordedFields.json")) as RecordedFields;
