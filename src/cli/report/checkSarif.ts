import { allRuleFacts } from "../../core/config/allRules.js";
import type { Severity } from "../../core/config/document/diagnostic.js";
import type { RuleFacts } from "../../core/config/rules/rule.js";
import type { CheckFinding, TextRange } from "./checkReport.js";

/** A SARIF 2.1.0 log, as far as `check` fills it (OASIS standard, sections 3.13 to 3.57). */
export interface SarifLog {
  readonly $schema: string;
  readonly version: "2.1.0";
  readonly runs: readonly [SarifRun];
}

export interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  /** Columns count UTF-16 units, as everywhere here. */
  readonly columnKind: "utf16CodeUnits";
  readonly results: readonly SarifResult[];
}

interface SarifDriver {
  readonly name: string;
  readonly rules: readonly SarifRule[];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: SarifLevel };
}

export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: { readonly text: string };
  readonly locations: readonly [{ readonly physicalLocation: SarifPlace & { readonly region: SarifRegion } }];
  readonly fixes?: readonly SarifFix[];
}

interface SarifPlace {
  readonly artifactLocation: { readonly uri: string };
}

interface SarifFix {
  readonly description: { readonly text: string };
  readonly artifactChanges: readonly [
    SarifPlace & {
      readonly replacements: readonly {
        readonly deletedRegion: SarifRegion;
        readonly insertedContent?: { readonly text: string };
      }[];
    },
  ];
}

interface SarifRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

type SarifLevel = "error" | "warning" | "note";

/** SARIF knows no hints; both lower levels are notes. */
const levels: Readonly<Record<Severity, SarifLevel>> = {
  error: "error",
  warning: "warning",
  information: "note",
  hint: "note",
};

/** The findings as a SARIF log; only rules that found something are listed, each with its help. */
export function renderSarif(findings: readonly CheckFinding[]): SarifLog {
  const codes = [...new Set(findings.map((finding) => finding.code))].sort();
  const indexOf = new Map(codes.map((code, index) => [code, index]));
  const facts = new Map(allRuleFacts.map((rule) => [rule.code, rule]));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "offload-lens", rules: codes.map((code) => ruleOf(code, facts.get(code))) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, indexOf.get(finding.code) ?? -1)),
      },
    ],
  };
}

function ruleOf(code: string, facts: RuleFacts | undefined): SarifRule {
  const explanation = facts?.explanation ?? code;
  const [first = explanation] = explanation.split(/(?<=\.)\s/, 1);
  const example = facts?.example.text ?? "";
  return {
    id: code,
    shortDescription: { text: first },
    fullDescription: { text: explanation },
    help: {
      text: `${explanation}\n\nExample:\n${example}`,
      markdown: `${explanation}\n\nExample:\n\n\`\`\`\n${example}\`\`\`\n`,
    },
    defaultConfiguration: { level: levels[facts?.severities[0] ?? "warning"] },
  };
}

function resultOf(finding: CheckFinding, ruleIndex: number): SarifResult {
  const uri = fileUri(finding.file);
  const fixes = finding.fixes.map(
    (fix): SarifFix => ({
      description: { text: fix.title },
      artifactChanges: [
        {
          artifactLocation: { uri },
          replacements: fix.edits.map((edit) => ({
            deletedRegion: regionOf(edit),
            ...(edit.newText === "" ? {} : { insertedContent: { text: edit.newText } }),
          })),
        },
      ],
    }),
  );
  return {
    ruleId: finding.code,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: finding.message },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: regionOf(finding) } }],
    ...(fixes.length === 0 ? {} : { fixes }),
  };
}

/** Lines and columns are 1-based and ends exclusive here as there (section 3.30). */
function regionOf({ line, column, endLine, endColumn }: TextRange): SarifRegion {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** A relative path as a relative URI, an absolute one as a `file:` URI; every unsafe character percent-encoded (RFC 3986). */
export function fileUri(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const encoded = slashed
    .split("/")
    .map((segment) => encodeURIComponent(segment.replace(/[\uD800-\uDFFF]/gu, "\uFFFD")).replace(/[!'()*]/g, percent))
    .join("/");
  if (/^[A-Za-z]:\//.test(slashed)) return `file:///${slashed.slice(0, 2)}${encoded.slice(encoded.indexOf("/"))}`;
  if (slashed.startsWith("/")) return `file://${encoded}`;
  return encoded.replace(/^(?:\.\/)+/, "");
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
