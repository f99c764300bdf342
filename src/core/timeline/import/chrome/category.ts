import { EventKind, type EventKindValue } from "../../columns/eventKind.js";

/** What a category (`cat`) says about its events, and which of their `args` are worth reading. */
export const Category = {
  /** Unknown: everything is read. */
  other: 0,
  kernel: 1,
  memcpy: 2,
  memset: 3,
  runtime: 4,
  operator: 5,
  annotation: 6,
  deviceAnnotation: 7,
  pythonFrame: 8,
  /** A flow between a launch and its device work; also said by equal correlation ids. */
  launchFlow: 9,
  forwardBackwardFlow: 10,
  /** Synchronisations as the driver reports them: on streams of the device. */
  deviceSync: 11,
  instant: 12,
  /** Work of an MTIA device, copies and waits among it: the name or `args` say what it is. */
  mtiaWork: 13,
} as const;

const BY_NAME: Readonly<Record<string, number>> = {
  kernel: Category.kernel,
  gpu_memcpy: Category.memcpy,
  memcpy: Category.memcpy,
  gpu_memset: Category.memset,
  memset: Category.memset,
  runtime: Category.runtime,
  cpu_op: Category.operator,
  operator: Category.operator,
  user_annotation: Category.annotation,
  trace: Category.annotation,
  gpu_user_annotation: Category.deviceAnnotation,
  python_function: Category.pythonFrame,
  ac2g: Category.launchFlow,
  async_gpu: Category.launchFlow,
  fwdbwd: Category.forwardBackwardFlow,
  forward_backward: Category.forwardBackwardFlow,
  cuda_sync: Category.deviceSync,
  cpu_instant_event: Category.instant,
  mtia_ccp_events: Category.mtiaWork,
};

/** Old and new dialects of Kineto spell categories differently, other devices than CUDA have their own runtimes. */
export function categoryOf(name: string): number {
  const lower = name.toLowerCase();
  const known = Object.hasOwn(BY_NAME, lower) ? BY_NAME[lower] : undefined;
  if (known !== undefined) return known;
  return /_(runtime|driver)$/.test(lower) ? Category.runtime : Category.other;
}

/** Whether the `args` of such events hold anything for the columns. */
export function readsArgs(category: number): boolean {
  return category <= Category.runtime || category === Category.deviceAnnotation || category >= Category.deviceSync;
}

/** Whether its events run on a device and their process id is the number of that device. */
export function isOnDevice(category: number): boolean {
  return (
    (category >= Category.kernel && category <= Category.memset) ||
    category === Category.deviceSync ||
    category === Category.mtiaWork
  );
}

/** Names of kernels that move data between devices for a collective: NCCL, RCCL with its MSCCL, MCCL, HCCL (`hcom_`). */
const COLLECTIVE = /^(nccl|rccl|msccl|mccl|hccl|hcom_)/i;
/** Calls that return when the device is done: CUDA and HIP, MUSA, then Ascend, MTIA, and Intel's Level Zero and Unified Runtime. */
const HOST_WAIT =
  /^(cuda|hip|cu|musa)(Ctx|Stream|Device|Event)Synchronize|^aclrtSynchronize(Stream|Device|Event)|^synchronize(Stream)?$|^ze\w+Synchronize$|^ur(EventWait|QueueFinish)$/;
const PINNED =
  /^(cudaHostAlloc|cudaMallocHost|cudaHostRegister|cuMemHostAlloc|cuMemAllocHost|cuMemHostRegister|hipHostMalloc|hipHostAlloc|hipMallocHost|hipMemAllocHost|hipHostRegister|musaHostAlloc|musaMallocHost|musaHostRegister|aclrtMallocHost|zeMemAllocHost|urUSMHostAlloc)/;
/** Commands of an MTIA queue that order work and are none. */
const MTIA_WAIT = /^event_wait/;
const MTIA_RECORD = /^event_record/;

/** The kind of an event of this category with this name. */
export function kindOf(category: number, name: string): EventKindValue {
  switch (category) {
    case Category.kernel:
      return COLLECTIVE.test(name) ? EventKind.collective : EventKind.kernel;
    case Category.memcpy:
      return copyKind(name);
    case Category.memset:
      return EventKind.memset;
    case Category.runtime:
      if (HOST_WAIT.test(name)) return EventKind.hostWait;
      return PINNED.test(name) ? EventKind.pinnedAllocation : EventKind.runtimeCall;
    case Category.operator:
      return EventKind.operator;
    case Category.annotation:
    case Category.deviceAnnotation:
      return EventKind.annotation;
    case Category.deviceSync:
      return /wait event/i.test(name) ? EventKind.streamWait : EventKind.annotation;
    case Category.mtiaWork:
      if (MTIA_WAIT.test(name)) return EventKind.streamWait;
      return MTIA_RECORD.test(name) ? EventKind.annotation : EventKind.kernel;
    case Category.pythonFrame:
      return EventKind.pythonFrame;
    default:
      return EventKind.other;
  }
}

/** Direction of a copy by its name: `Memcpy DtoH (Device -> Pinned)`, `CopyHostToDevice`; `PtoP`: to a peer. Others stay on hosts. */
export function copyKind(name: string): EventKindValue {
  if (/DtoH|D2H|device[ _]?to[ _]?host/i.test(name)) return EventKind.copyD2H;
  if (/HtoD|H2D|host[ _]?to[ _]?device/i.test(name)) return EventKind.copyH2D;
  if (/DtoD|PtoP|D2D|device[ _]?to[ _]?device/i.test(name)) return EventKind.copyD2D;
  return EventKind.other;
}
