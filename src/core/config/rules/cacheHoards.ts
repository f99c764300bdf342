import type { MappingEntry } from "../document/configNode.js";
import type { QuickFix } from "../document/diagnostic.js";
import type { Finding, Rule, RuleExample } from "./rule.js";

/** Measured: 0.25 stays small and fast, 4 hoards. */
const smallLimitGb = 0.25;
const largeLimitGb = 1;

/** The idle cache that a file keeps while offload is on, with the entry to point at. */
export interface OffloadCache {
  readonly limitGb: number;
  readonly entry: MappingEntry;
  /** The file does not write the limit. */
  readonly isDefault: boolean;
}

/** What the frameworks differ in. */
export interface CacheHoardsDialect<Context> {
  readonly explanation: string;
  readonly example: RuleExample;
  cacheOf(context: Context): OffloadCache | undefined;
  /** Why hardly two steps have the same shapes; undefined where they repeat, or where only the run knows. */
  variesBecause(context: Context): string | undefined;
  /** Sets the limit, or makes shapes repeat. */
  fixes(context: Context, limitGb: number): readonly QuickFix[];
}

/** A large cache limit where hardly two steps have the same shapes. */
export function cacheHoardsRule<Context>(dialect: CacheHoardsDialect<Context>): Rule<Context> {
  const { explanation, example } = dialect;
  const check = (context: Context): readonly Finding[] => findingFor(dialect, context);
  return { code: "cache-hoards", severities: ["information"], explanation, example, check };
}

function findingFor<Context>(dialect: CacheHoardsDialect<Context>, context: Context): readonly Finding[] {
  const cache = dialect.cacheOf(context);
  if (cache === undefined || cache.limitGb < largeLimitGb) return [];
  const cause = dialect.variesBecause(context);
  if (cause === undefined) return [];
  const limit = cache.isDefault ? `The default cache limit, ${cache.limitGb},` : `A cache limit of ${cache.limitGb}`;
  return [
    {
      span: cache.entry.span,
      severity: "information",
      message: `${limit} hoards pinned buffers of shapes that do not come back, because ${cause}; steps get slower until it is full. ${smallLimitGb} was measured to be smaller and faster.`,
      fixes: dialect.fixes(context, smallLimitGb),
    },
  ];
}
