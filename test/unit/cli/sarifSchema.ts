/**
 * The parts of the official SARIF 2.1.0 schema (OASIS, errata 01) that `check --sarif` fills, written out from the standard:
 * required members, value sets, minimums, and no member that the standard does not name. Where the standard allows more members
 * than are used here, only those used and their neighbours are listed, so this is stricter.
 */
const message = {
  type: "object",
  properties: { text: { type: "string", minLength: 1 }, markdown: { type: "string" }, id: { type: "string" } },
  anyOf: [{ required: ["text"] }, { required: ["id"] }],
  additionalProperties: false,
};

const multiformat = {
  type: "object",
  properties: { text: { type: "string", minLength: 1 }, markdown: { type: "string", minLength: 1 } },
  required: ["text"],
  additionalProperties: false,
};

const region = {
  type: "object",
  properties: {
    startLine: { type: "integer", minimum: 1 },
    startColumn: { type: "integer", minimum: 1 },
    endLine: { type: "integer", minimum: 1 },
    endColumn: { type: "integer", minimum: 1 },
    charOffset: { type: "integer", minimum: -1 },
    charLength: { type: "integer", minimum: 0 },
  },
  required: ["startLine"],
  additionalProperties: false,
};

const artifactLocation = {
  type: "object",
  properties: { uri: { type: "string", format: "uri-reference" }, uriBaseId: { type: "string" } },
  required: ["uri"],
  additionalProperties: false,
};

const level = { enum: ["none", "note", "warning", "error"] };

const fix = {
  type: "object",
  properties: {
    description: message,
    artifactChanges: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: {
        type: "object",
        properties: {
          artifactLocation,
          replacements: {
            type: "array",
            minItems: 1,
            items: {
              type: "object",
              properties: {
                deletedRegion: region,
                insertedContent: {
                  type: "object",
                  properties: { text: { type: "string" }, binary: { type: "string" } },
                  additionalProperties: false,
                },
              },
              required: ["deletedRegion"],
              additionalProperties: false,
            },
          },
        },
        required: ["artifactLocation", "replacements"],
        additionalProperties: false,
      },
    },
  },
  required: ["artifactChanges"],
  additionalProperties: false,
};

const result = {
  type: "object",
  properties: {
    ruleId: { type: "string" },
    ruleIndex: { type: "integer", minimum: -1 },
    level,
    message,
    locations: {
      type: "array",
      uniqueItems: true,
      items: {
        type: "object",
        properties: {
          physicalLocation: {
            type: "object",
            properties: { artifactLocation, region },
            required: ["artifactLocation"],
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
    fixes: { type: "array", uniqueItems: true, items: fix },
  },
  required: ["message"],
  additionalProperties: false,
};

const rule = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1 },
    shortDescription: multiformat,
    fullDescription: multiformat,
    help: multiformat,
    defaultConfiguration: { type: "object", properties: { level }, additionalProperties: false },
  },
  required: ["id"],
  additionalProperties: false,
};

export const sarifSchema = {
  type: "object",
  properties: {
    $schema: { type: "string", format: "uri" },
    version: { enum: ["2.1.0"] },
    runs: {
      type: "array",
      minItems: 0,
      items: {
        type: "object",
        properties: {
          tool: {
            type: "object",
            properties: {
              driver: {
                type: "object",
                properties: {
                  name: { type: "string", minLength: 1 },
                  rules: { type: "array", uniqueItems: true, items: rule },
                },
                required: ["name"],
                additionalProperties: false,
              },
            },
            required: ["driver"],
            additionalProperties: false,
          },
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: { type: "array", items: result },
        },
        required: ["tool"],
        additionalProperties: false,
      },
    },
  },
  required: ["version", "runs"],
  additionalProperties: false,
};
