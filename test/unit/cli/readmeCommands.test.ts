import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/cli/commands.js";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

/** The command lines of the table under "Without an editor", without the escapes of a Markdown table. */
const rows = readme
  .split("\n")
  .flatMap((line) => /^\| `([a-z]+) (.*?)`\s+\|/.exec(line)?.slice(1, 3) ?? [])
  .reduce<[name: string, rest: string][]>((pairs, text, at, all) => {
    if (at % 2 === 0) pairs.push([text, (all[at + 1] ?? "").replaceAll("\\|", "|")]);
    return pairs;
  }, []);

async function flagsOf(name: string) {
  const command = await COMMANDS[name]?.();
  return new Map(Object.entries(command?.table.flags ?? {}));
}

describe("README's table of commands", () => {
  it("has every command, and no other", () => {
    expect([...new Set(rows.map(([name]) => name))].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it.each(rows)("names flags and values of %s as its table does: %s", async (name, rest) => {
    const flags = await flagsOf(name);
    for (const [, flag = "", value] of rest.matchAll(/(--[a-z-]+)(?: ([^\s\])]+))?/g)) {
      expect(flags.keys()).toContain(flag);
      const taken = flags.get(flag)?.valueName ?? "";
      expect(`${flag} ${value === undefined || value === "|" ? "" : value}`).toBe(`${flag} ${taken}`);
    }
  });

  it.each(Object.keys(COMMANDS))("shows what %s cannot do without", async (name) => {
    const shown = rows.filter(([row]) => row === name).map(([, rest]) => rest);
    const command = await COMMANDS[name]?.();
    const needed = (command?.table.choices ?? []).filter((choice) => choice.needed !== undefined);
    for (const { of } of needed) for (const flag of of) expect(shown.join(" ")).toContain(flag);
    const { operands } = command?.table ?? {};
    if (operands !== undefined)
      expect(shown[0]).toMatch(new RegExp(`^${operands.name}${operands.most > 1 ? "…" : ""}`));
  });

  it("and the prose around it name only flags that a command has", async () => {
    const start = readme.indexOf("## Without an editor");
    const section = readme.slice(start, readme.indexOf("\n## ", start + 1));
    const known = new Set(["--json", "--help", "--version"]);
    for (const name of Object.keys(COMMANDS)) for (const flag of (await flagsOf(name)).keys()) known.add(flag);
    for (const [flag] of section.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) expect(known).toContain(flag);
  });
});
