import type { CommandShape, Flag } from "./flags.js";
import { flagLabel, helpFlag } from "./readFlags.js";
import { wrapped } from "./wrapText.js";

/** No line of a list of flags is longer. */
const WIDTH = 110;
/** Flags longer than this have a line of their own, so that the texts keep their room. */
const MOST_LABEL = 26;

/** The help of a command, from its table alone. Ends with a newline. */
export function helpOf(program: string, table: CommandShape): string {
  const { name, summary, about, notes, exits } = table;
  return [
    `${program} ${name}: ${summary}.`,
    `Usage: ${program} ${name}${usageOf(table)}`,
    ...(about === undefined ? [] : [about.trim()]),
    ...flagLists(table),
    ...(notes === undefined ? [] : [notes.trim()]),
    `Exit: 0 ${exits?.[0] ?? "fine"}, ${exits?.[1] === undefined ? "" : `1 ${exits[1]}, `}2 ${exits?.[2] ?? "wrong usage"}.\n`,
  ].join("\n\n");
}

function usageOf({ operands, choices, flags }: CommandShape): string {
  const table = new Map<string, Flag<unknown>>(Object.entries(flags));
  const shown = (choices ?? []).filter(({ needed }) => needed !== undefined);
  const needed = shown.map(({ of }) => {
    const ways = of.map((flag) => flagLabel(flag, table.get(flag))).join(" | ");
    return of.length === 1 ? ` ${ways}` : ` (${ways})`;
  });
  const words = operands === undefined ? "" : ` ${operands.name}${operands.most > 1 ? "…" : ""}`;
  const isRest = Object.keys(flags).some((flag) => !shown.some(({ of }) => of.some((name) => name === flag)));
  return `${words}${needed.join("")}${isRest ? " [options]" : ""}`;
}

/** The flags of each group, in the order of the table; help itself comes last. */
function flagLists({ flags }: CommandShape): readonly string[] {
  const groups = new Map<string, [label: string, help: string][]>();
  const entries: readonly (readonly [string, Flag<unknown>])[] = [...Object.entries(flags), ["--help", helpFlag]];
  for (const [name, flag] of entries) {
    const list = groups.get(flag.group ?? "") ?? [];
    groups.set(flag.group ?? "", list);
    list.push([flagLabel(name, flag), flag.help]);
  }
  const widest = entries.map(([name, flag]) => flagLabel(name, flag).length).filter((width) => width <= MOST_LABEL);
  const column = 2 + Math.max(...widest) + 2;
  return Array.from(groups, ([group, list]) => {
    const lines = list.flatMap(([label, help]) => flagLines(label, help, column));
    return (group === "" ? lines : [`${group}:`, ...lines]).join("\n");
  });
}

function flagLines(label: string, help: string, column: number): readonly string[] {
  const head = `  ${label}`;
  const indent = " ".repeat(column);
  const texts = wrapped(help, WIDTH - column);
  if (head.length + 2 > column) return [head, ...texts.map((text) => indent + text)];
  return texts.map((text, at) => (at === 0 ? head.padEnd(column) : indent) + text);
}
