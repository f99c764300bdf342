/** Classes of activations by the name in config.json (transformers 5). */
const classes: ReadonlyMap<string, string> = new Map([
  ["silu", "SiLUActivation"],
  ["swish", "SiLU"],
  ["gelu", "GELUActivation"],
  ["gelu_python", "GELUActivation"],
  ["gelu_new", "NewGELUActivation"],
  ["gelu_fast", "FastGELUActivation"],
  ["gelu_pytorch_tanh", "GELUTanh"],
  ["gelu_python_tanh", "GELUTanh"],
  ["gelu_10", "ClippedGELUActivation"],
  ["gelu_accurate", "AccurateGELUActivation"],
  ["quick_gelu", "QuickGELUActivation"],
  ["relu", "ReLU"],
  ["relu2", "ReLUSquaredActivation"],
  ["relu6", "ReLU6"],
  ["leaky_relu", "LeakyReLU"],
  ["prelu", "PReLU"],
  ["hardswish", "Hardswish"],
  ["laplace", "LaplaceActivation"],
  ["linear", "LinearActivation"],
  ["mish", "MishActivation"],
  ["sigmoid", "Sigmoid"],
  ["tanh", "Tanh"],
  ["xielu", "XIELUActivation"],
]);

/** Key that the model's code reads, and its value where config.json has no such key; others read `hidden_act`, by default "silu". */
const exceptions: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["apertus", ["hidden_act", "xielu"]],
  ["arcee", ["hidden_act", "relu2"]],
  ["falcon", ["activation", "gelu"]],
  ["gemma", ["hidden_act", "gelu_pytorch_tanh"]],
  ["gemma2", ["hidden_activation", "gelu_pytorch_tanh"]],
  ["gemma3", ["hidden_activation", "gelu_pytorch_tanh"]],
  ["gemma3_text", ["hidden_activation", "gelu_pytorch_tanh"]],
  ["starcoder2", ["hidden_act", "gelu_pytorch_tanh"]],
  ["gpt2", ["activation_function", "gelu_new"]],
  ["gptj", ["activation_function", "gelu_new"]],
  ["gpt_neox", ["hidden_act", "gelu"]],
  ["gpt_bigcode", ["activation_function", "gelu_pytorch_tanh"]],
  ["opt", ["activation_function", "relu"]],
  ["phi", ["hidden_act", "gelu_new"]],
]);

const visionDefaults: ReadonlyMap<string, string> = new Map([
  ["clip_vision_model", "quick_gelu"],
  ["siglip_vision_model", "gelu_pytorch_tanh"],
  ["qwen2_vl", "quick_gelu"],
  ["qwen2_5_vl", "silu"],
  ["qwen2_5_omni", "silu"],
  ["qwen2_5_omni_thinker", "silu"],
]);

/** Class of an activation, `undefined` for a name that transformers does not know. */
export function activationClass(name: string | undefined): string | undefined {
  return name === undefined ? undefined : classes.get(name);
}

/** The activation of a text model, from the value at the key that its code reads. `types` are tried in order. */
export function textActivation(
  types: readonly (string | undefined)[],
  valueAt: (key: string) => string | undefined,
): string {
  const known = types.map((type) => exceptions.get(type ?? "")).find((exception) => exception !== undefined);
  const [key, fallback] = known ?? ["hidden_act", "silu"];
  return valueAt(key) ?? fallback;
}

/** The activation of a vision tower where config.json names none. */
export function visionActivation(types: readonly (string | undefined)[]): string {
  return types.map((type) => visionDefaults.get(type ?? "")).find((name) => name !== undefined) ?? "gelu_pytorch_tanh";
}
