/**
 * The five shapes that VeOmni's training YAML has had. `flat`: until VeOmni #538. `train-scoped`: nested blocks under `train`.
 * `train-scoped+async`: with the keys of VeOmni #965. `model-scoped`: accelerator and optimizer under `model` (#1090).
 * `model-scoped+template`: the chat template there as well (#1125).
 */
export type LayoutId = "flat" | "train-scoped" | "train-scoped+async" | "model-scoped" | "model-scoped+template";

/** Every layout, oldest first. */
export const layoutIds: readonly LayoutId[] = [
  "flat",
  "train-scoped",
  "train-scoped+async",
  "model-scoped",
  "model-scoped+template",
];

/** The layout of the newest VeOmni; taken where a file gives no hint. */
export const newestLayout: LayoutId = "model-scoped+template";

/** Layouts before VeOmni #1090. */
export const olderLayouts: readonly LayoutId[] = ["flat", "train-scoped", "train-scoped+async"];

/** Layouts since VeOmni #1090. */
export const modelLayouts: readonly LayoutId[] = ["model-scoped", "model-scoped+template"];

/** Where one key stands in each layout; a layout that lacks it has no member. */
export type LayoutPaths = Readonly<Partial<Record<LayoutId, string>>>;

/** True for the id of a layout. */
export function isLayoutId(text: string): text is LayoutId {
  return (layoutIds as readonly string[]).includes(text);
}

/** The parser since VeOmni #1090 stops at a key that it does not know; earlier ones ignore it in YAML without a word. */
export function refusesUnknownKeys(layout: LayoutId): boolean {
  return layout === "model-scoped" || layout === "model-scoped+template";
}

/** The same place in every layout. */
export function inEvery(path: string): LayoutPaths {
  return { flat: path, ...inNested(path) };
}

/** The same place since VeOmni #538; before, `flat` or nothing. */
export function inNested(path: string, flat?: string): LayoutPaths {
  return { ...(flat === undefined ? {} : { flat }), ...inTrain(path), ...inModel(path) };
}

/** Both layouts in which the accelerator and the optimizer stand under `train`. */
export function inTrain(path: string): LayoutPaths {
  return { "train-scoped": path, "train-scoped+async": path };
}

/** Both layouts in which they stand under `model`. */
export function inModel(path: string): LayoutPaths {
  return { "model-scoped": path, "model-scoped+template": path };
}

/** Under `train` until VeOmni #1090, then under `model`; before VeOmni #538 `flat` or nothing. */
export function moved(member: string, flat?: string): LayoutPaths {
  return {
    ...(flat === undefined ? {} : { flat }),
    ...inTrain(`train.${member}`),
    ...inModel(`model.${member}`),
  };
}

/** The same place from VeOmni #965 on, which is in 0.1.12. */
export function sinceAsync(path: string): LayoutPaths {
  return { "train-scoped+async": path, ...inModel(path) };
}

/** From VeOmni #965 on: under `train`, then under `model`. */
export function asyncMember(member: string): LayoutPaths {
  return { "train-scoped+async": `train.${member}`, ...inModel(`model.${member}`) };
}

/** Gone since VeOmni #1090. */
export function untilModelScoped(path: string): LayoutPaths {
  return { flat: path, ...inTrain(path) };
}
