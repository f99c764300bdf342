import { EventKind } from "../../columns/eventKind.js";
import { copyKind } from "./category.js";
import type { ElementSink } from "./elementSink.js";
import { useOfKind } from "./laneTable.js";
import type { NameTable } from "./nameTable.js";

/** Ascend's exporter has no categories: the name of the process says what its threads are. */
const HARDWARE = /^Ascend Hardware/i;
const COLLECTIVE = /^hcom_|^(all_?reduce|all_?gather|reduce_?scatter|broadcast|all_?to_?all)/i;
const COPY = /MEMCPY|SDMA/i;
/** Tasks of the scheduler: they order work and are none. */
const SCHEDULING = /^(EVENT|NOTIFY|PROFILING|PLACE_HOLDER|MODEL)/i;

/**
 * Moves the events of Ascend's hardware process to device lanes, by their names and task types; true where there are any.
 * Copies whose direction neither says stay without a direction.
 */
export function reclassifyAscend({ store, lanes, taskTypes }: ElementSink, names: NameTable): boolean {
  const isHardware: boolean[] = [];
  let found = false;
  for (let lane = 0; lane < lanes.length; lane++) {
    const process = lanes.processName(lanes.pidOf(lanes.threadOf(lane)));
    isHardware[lane] = lanes.deviceOf(lane) < 0 && process !== undefined && HARDWARE.test(process);
    found ||= isHardware[lane] === true;
  }
  if (!found) return false;
  const kinds = names.texts.map((name, at) => kindOfTask(name, names.texts[taskTypes.get(at) ?? -1] ?? ""));
  store.reclassify((lane, name, kind) => {
    if (isHardware[lane] !== true || kind !== EventKind.other) return undefined;
    const task = kinds[name] ?? EventKind.other;
    return { lane: lanes.lane(lanes.threadOf(lane), useOfKind(task), 0), kind: task };
  });
  return true;
}

function kindOfTask(name: string, taskType: string): number {
  if (SCHEDULING.test(taskType) || SCHEDULING.test(name)) return EventKind.annotation;
  if (COLLECTIVE.test(name)) return EventKind.collective;
  if (COPY.test(name) || COPY.test(taskType)) return copyKind(`${name} ${taskType}`);
  return EventKind.kernel;
}
