/** Names of the rows that rules on activation offload speak about. */
export const syncSwitch = "train.accelerator.offload_config.enable_activation";
/** GB that may stay on the device in synchronous mode. */
export const gpuLimit = "train.accelerator.offload_config.activation_gpu_limit";
/** Stream-based mode. */
export const asyncSwitch = "train.accelerator.offload_config.enable_async_activation";
/** Patterns of the modules that offload. */
export const moduleList = "train.accelerator.offload_config.activation_offload_modules";
/** GB of idle pinned buffers. */
export const cacheLimit = "train.accelerator.offload_config.activation_offload_host_cache_limit_gb";
/** Gradient checkpointing. */
export const checkpointing = "train.gradient_checkpointing.enable";
/** Its reentrant variant. */
export const reentrantSwitch = "train.gradient_checkpointing.enable_reentrant";
