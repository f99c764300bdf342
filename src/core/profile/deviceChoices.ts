import gpus from "./simulatedGpus.json" with { type: "json" };

/** Simulated GPUs that the engine has profiles of, as a command line names them: without spaces. */
export const SIMULATED_GPUS: readonly string[] = gpus.map((name) => name.replaceAll(" ", ""));

/** A device that a profile can be asked for, with what it is in a few words. */
export interface DeviceChoice {
  /** As `--device` takes it. */
  readonly device: string;
  readonly label: string;
  readonly description: string;
}

/** What a picker offers, the usual choice first. Simulated devices are those that the engine has profiles of. */
export const DEVICE_CHOICES: readonly DeviceChoice[] = [
  { device: "auto", label: "Automatic", description: "a GPU where one can be used, else the CPU" },
  { device: "cuda", label: "GPU", description: "measured on this machine's GPU" },
  { device: "cpu", label: "CPU", description: "real copies and kernels, for small models" },
  ...SIMULATED_GPUS.map((name) => ({
    device: `sim:${name}`,
    label: `Simulated ${name}`,
    description: "same schedule and bytes, times from a model of the device",
  })),
];

/** `auto`, `cuda`, `cpu` or `sim:` with a name or the path of a profile. */
export function isDeviceName(text: string): boolean {
  return text === "auto" || text === "cuda" || text === "cpu" || /^sim:.+$/.test(text);
}
