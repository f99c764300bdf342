import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MODULES_COMMANDS } from "../../../src/core/modules/view/protocol.js";
import { TIMELINE_COMMANDS } from "../../../src/core/timeline/query/protocol.js";

interface Named {
  readonly command: string;
}

const { commands, menus } = JSON.parse(readFileSync("package.json", "utf8")).contributes as {
  readonly commands: readonly Named[];
  readonly menus: Readonly<Record<string, readonly Partial<Named>[]>>;
};

const folder = "src/extension";
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");

/** What `registerCommand` is given: a text, or a constant that holds one; the commands of a page come from its protocol. */
function registeredCommands(): ReadonlySet<string> {
  const given = [...sources.matchAll(/registerCommand\(\s*(?:"([\w.]+)"|([A-Z_]+))/g)];
  const texts = given.map(([, text, constant]) => text ?? new RegExp(`const ${constant} = "(.+)"`).exec(sources)?.[1]);
  return new Set([
    ...texts.filter((text) => text !== undefined),
    ...TIMELINE_COMMANDS.map((name) => `offloadLens.timeline.${name}`),
    ...MODULES_COMMANDS.map((name) => `offloadLens.modules.${name}`),
  ]);
}

describe("the commands of package.json", () => {
  const listed = commands.map(({ command }) => command);

  it("are each registered by the extension", () => {
    const registered = registeredCommands();
    expect(listed.filter((command) => !registered.has(command))).toEqual([]);
  });

  it("are all that its menus name", () => {
    const inMenus = Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
    expect(inMenus.filter((command) => command.startsWith("offloadLens.") && !listed.includes(command))).toEqual([]);
  });
});
