import { describe, expect, it } from "vitest";
import { schema } from "../../../../src/cli/command/schema.js";
import type { CliIo } from "../../../../src/cli/io.js";
import { schemaDialects } from "../../../../src/core/config/schema/dialects.js";

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: CliIo = {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    cwd: "/",
    env: {},
  };
  return { code: await schema(args, io), out, err };
}

describe("schema", () => {
  it.each(schemaDialects)("prints the schema of %s", async (dialect) => {
    const { code, out, err } = await run("--dialect", dialect);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out).$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect((await run(`--dialect=${dialect}`)).out).toBe(out);
  });

  it.each([
    [[], "ARGUMENT_MISSING: schema needs a dialect. Give --dialect ID."],
    [["verl"], 'ARGUMENT_UNEXPECTED: "verl" is not expected here'],
    [["--dialect", "verl", "x"], 'ARGUMENT_UNEXPECTED: "x" is not expected here'],
    [["--dialect", "model-scope"], "FLAG_VALUE_WRONG: --dialect does not take model-scope. Did you mean model-scoped?"],
    [["--dialect", "__proto__"], "FLAG_VALUE_WRONG: --dialect does not take __proto__. Use verl, "],
  ])("refuses %j", async (args, message) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.startsWith(message)).toBe(true);
  });

  it("explains itself, with the modeline", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    expect(out).toContain("# yaml-language-server: $schema=");
    for (const dialect of schemaDialects) expect(out).toContain(dialect);
  });
});
