import type { QuickFix } from "../document/diagnostic.js";
import type { Written } from "./field.js";
import type { Finding, Rule, RuleExample } from "./rule.js";

/** What the frameworks differ in. */
export interface CacheWithoutSwitchDialect<Context, Limit extends Pick<Written, "entry">> {
  /** The switch, as the files of the framework name it. */
  readonly switchName: string;
  readonly example: RuleExample;
  /** The limit, where it is a number other than the default and the switch is off. */
  unusedLimitOf(context: Context): Limit | undefined;
  fixes(context: Context, limit: Limit): readonly QuickFix[];
}

/** A host cache limit, other than the default, that bounds nothing. */
export function cacheWithoutSwitchRule<Context, Limit extends Pick<Written, "entry">>(
  dialect: CacheWithoutSwitchDialect<Context, Limit>,
): Rule<Context> {
  const { switchName, example } = dialect;
  const check = (context: Context): readonly Finding[] => {
    const limit = dialect.unusedLimitOf(context);
    if (limit === undefined) return [];
    const message = `activation_offload_host_cache_limit_gb has no effect while ${switchName} is off.`;
    return [{ span: limit.entry.keySpan, severity: "hint", message, fixes: dialect.fixes(context, limit) }];
  };
  const explanation = `activation_offload_host_cache_limit_gb bounds the idle pinned buffers of stream-based offload. While ${switchName} is off there are none.`;
  return { code: "cache-without-switch", severities: ["hint"], explanation, example, check };
}
