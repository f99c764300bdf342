import { succeed } from "../base/outcome.js";
import type { CheckOptions } from "../config/check.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import type { Environment, ReadConfig } from "../config/readConfig.js";
import { resolveSettings } from "../profile/offloadChoice.js";
import type { ProfileSettings } from "../profile/profileArguments.js";
import type { ProfileResult, ProfileRun } from "../profile/result.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD, type StrategyName } from "../profile/strategies.js";
import { configuredSettings } from "../workload/configuredSettings.js";
import type { LeverTable, LeverValue } from "./leverTable.js";
import { leverTitle } from "./leverText.js";
import type { LeverSubject } from "./runLevers.js";

/** What a command line gives beside the file: `given` wins over every key, so that a key under a flag is no lever. */
export interface ProfiledConfig {
  readonly configJson: string;
  readonly given: ProfileSettings;
  readonly device: string;
  readonly read: ReadConfig;
  readonly block: OffloadSettings;
  readonly environment: Environment;
  readonly options: CheckOptions;
}

/** The subject of a profile or a sweep of a config: its requests are made as those of the command are. */
export function profiledSubject(profiled: ProfiledConfig): LeverSubject {
  const { configJson, given, device, read, block, environment, options } = profiled;
  return {
    read,
    block,
    environment,
    options,
    isHeadGiven: given.head !== undefined || given.entropy !== undefined,
    requestOf: (changed) => {
      const configured = configuredSettings(given, changed, device);
      if (!configured.ok) return configured;
      const { outPath: _written, strategies: _named, ...settings } = configured.value.settings;
      const resolved = resolveSettings({ ...settings, strategies: [strategyOf(changed)] }, [changed]);
      if (!resolved.ok) return resolved;
      const { step, scope } = configured.value;
      return succeed({ request: { configJson, ...resolved.value.settings, device }, step, scope });
    },
  };
}

/** What a file lets run. */
export function strategyOf({ enabled }: Pick<OffloadSettings, "enabled">): StrategyName {
  return enabled === true ? ASYNC_OFFLOAD : NO_OFFLOAD;
}

/** A lever as the results of profiles and sweeps carry it. */
export interface RunLever {
  readonly key: string;
  readonly value: LeverValue;
  readonly title: string;
  readonly peakBytesAfter: number;
  readonly stepMsAfter: number;
}

/** Without what only an editor needs. */
export function runLeversOf(table: LeverTable): readonly RunLever[] {
  return table.levers.map((lever) => {
    const { key, value, peakBytesAfter, stepMsAfter } = lever;
    return { key, value, title: leverTitle(lever, table), peakBytesAfter, stepMsAfter };
  });
}

/** The result with the levers at the run that the file lets run; unchanged where no such run was asked for. */
export function withLevers(result: ProfileResult, block: OffloadSettings, table: LeverTable): ProfileResult {
  const isOwn = ({ strategy, gradientCheckpointing }: ProfileRun) =>
    strategy === strategyOf(block) && gradientCheckpointing === (block.gradientCheckpointing ?? true);
  const runs = result.runs.map((run) => (isOwn(run) ? { ...run, levers: runLeversOf(table) } : run));
  return { ...result, runs };
}
