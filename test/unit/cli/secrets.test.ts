import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../../src/cli/commands.js";

const secret = "s3cr3tvalue/with/parts";
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "secrets-"));
  mkdirSync(join(directory, "s3cr3tmodel"));
  mkdirSync(join(directory, "s3cr3tcache", "hub", "models--org--partial"), { recursive: true });
});
afterAll(() => rmSync(directory, { recursive: true }));

async function printed(args: readonly string[], token: string): Promise<string> {
  let text = "";
  const stdout = (part: string) => {
    text += part;
  };
  await runCli(
    args,
    {
      stdout,
      stderr: stdout,
      cwd: directory,
      env: {
        SECRET_TOKEN: token,
        HF_HOME: join(directory, "s3cr3tcache"),
        HOME: args.includes("~/m") ? "/home/s3cr3t" : "/home/user",
      },
    },
    "0",
  );
  return text;
}

const config = (path: string) =>
  `actor_rollout_ref:\n  model:\n    path: ${JSON.stringify(path)}\n  actor:\n    strategy: veomni\n    veomni:\n      strategy: veomni\n` +
  "      enable_async_activation_offload: true\n      activation_offload_modules: [a.*]\n";

describe("no command prints the value of a variable", () => {
  it.each([
    "${oc.env:SECRET_TOKEN}",
    "/x/$SECRET_TOKEN",
    "/x/${SECRET_TOKEN}",
    "${oc.env:SECRET_TOKEN,d}/y",
    "~/m",
    "org/$SECRET_TOKEN",
  ])("for the model path %s", async (path) => {
    writeFileSync(join(directory, "c.yaml"), config(path));
    for (const token of [secret, "s3cr3tid", "org/s3cr3tid", "s3cr3tmodel"]) {
      const matched = await printed(["match", "--config", "c.yaml"], token);
      expect(matched).not.toContain("s3cr3t");
      expect(matched).toMatch(/SECRET_TOKEN|~|MODEL_PATH_UNKNOWN/);
      for (const args of [
        ["match", "--model", path, "--auto"],
        ["check", "c.yaml"],
        ["check", "--format", "sarif", "c.yaml"],
      ])
        expect(await printed(args, token)).not.toContain("s3cr3t");
    }
  });

  it.each(["org/partial", "org/absent"])("for the place of the Hugging Face cache, with %s", async (id) => {
    for (const args of [
      ["match", "--model", id, "--auto"],
      ["profile", "--model", id],
      ["sweep", "--model", id],
    ]) {
      const text = await printed(args, secret);
      expect(text).toMatch(/^MODEL_/);
      expect(text).not.toContain("s3cr3t");
    }
  });
});
