import models from "./opModels.json" with { type: "json" };

/** Sets of saved tensors that the engine has; `npm run derive` writes them from its files. */
export type OpModels = Readonly<Record<string, { readonly isComputable: boolean }>>;

/** What `--op-model` takes, in words; what no kernel computes is set apart unless every device is simulated. */
export function opModelHelp(onlySimulated: boolean, known: OpModels = models): string {
  const names = (isComputable: boolean) =>
    Object.keys(known).filter((name) => known[name]?.isComputable === isComputable);
  const others = onlySimulated ? ", " : ", or on a simulated device ";
  const list = `${names(true).join(", ")}${others}${names(false).join(", ")}`;
  return `which tensors a layer saves: ${list} (default that of the model's family)`;
}
