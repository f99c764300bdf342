import { layerInputOf } from "../layerInput.js";

/** Longest name of a quantisation method that is repeated. */
const maxShownLength = 40;

/**
 * What config.json says about itself that makes a tree built by the library's own classes doubtful: code of the model's own,
 * quantisation, which puts other classes in place of the linear layers, and layers whose input has a size that is not known here.
 * Sentences for people; none for most models.
 */
export function configDoubts(json: unknown): readonly string[] {
  const config = asObject(json);
  const doubts: string[] = [];
  if (Object.keys(asObject(config.auto_map)).some((name) => name.startsWith("AutoModel"))) {
    doubts.push(
      "config.json names Python code of its own (auto_map): where that code is trusted (trust_remote_code), it builds the model, and names and classes may differ.",
    );
  }
  const quantization = config.quantization_config;
  if (typeof quantization === "object" && quantization !== null) {
    const method = asObject(quantization).quant_method;
    const shown = typeof method === "string" ? ` (${method.slice(0, maxShownLength)})` : "";
    doubts.push(
      `config.json asks for quantisation${shown}: a model that is loaded quantised has other classes in place of its linear layers and experts.`,
    );
  }
  const { doubt } = layerInputOf(json) ?? {};
  return doubt === undefined ? doubts : [...doubts, doubt];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
