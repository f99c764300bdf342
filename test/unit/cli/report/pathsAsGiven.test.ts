import { describe, expect, it } from "vitest";
import { runCli } from "../../../../src/cli/commands.js";
import { pathsAsGiven } from "../../../../src/cli/report/pathsAsGiven.js";

describe("pathsAsGiven", () => {
  it.each<[readonly string[], string, string]>([
    [["a.yaml"], "/home/u/a.yaml is no config.", "a.yaml is no config."],
    [["--config=a.yaml"], "/home/u/a.yaml is no config.", "a.yaml is no config."],
    [["--model", "m"], "There is no /home/u/m/config.json.", "There is no m/config.json."],
    [["dir/"], "/home/u/dir/a.json: empty", "dir/a.json: empty"],
    [["./a", "../b"], "/home/u/a and /home/b/c", "./a and ../b/c"],
    [["."], "/home/u/x, /home/u and /home/us", "./x, . and /home/us"],
    [[".."], "/home/x, /homes", "../x, /homes"],
    [["--device", "sim:gpu.json"], "/home/u/gpu.json is no profile", "gpu.json is no profile"],
    [["a", "a.b"], "/home/u/a.b and /home/u/a", "a.b and a"],
    [["/srv/x"], "/srv/x is absolute", "/srv/x is absolute"],
    [["a"], "/mnt/home/u/a is another", "/mnt/home/u/a is another"],
    [["--json", "on"], "switched on", "switched on"],
  ])("%j: %s", (args, text, shown) => {
    expect(pathsAsGiven(args, "/home/u")(text)).toBe(shown);
  });

  it("leaves other paths alone where the directory is the root", () => {
    expect(pathsAsGiven(["x", "/"], "/")("/x and /a/x and /")).toBe("x and /a/x and /");
  });

  it.each([
    ["trace", ["missing/t.json"]],
    ["trace", ["package.json"]],
    ["trace", ["README.md"]],
    ["match", ["--config", "package.json"]],
    ["match", ["--config-json", "package.json", "--pattern", "x"]],
    ["match", ["--tree", "package.json", "--pattern", "x"]],
    ["match", ["--model", "src", "--pattern", "x"]],
    ["match", ["--model", "./nowhere", "--pattern", "x"]],
    ["profile", ["--config-json", "README.md"]],
    ["profile", ["--model", "src"]],
    ["sweep", ["--model", "src", "--config", "package.json"]],
    ["migrate", ["nowhere.yaml", "--to", "flat"]],
    ["check", ["nowhere.yaml"]],
  ])("%s %j fails without a path from the root", async (name, args) => {
    let told = "";
    const keep = (text: string) => {
      told += text;
    };
    const cwd = new URL("../../../..", import.meta.url).pathname.replace(/\/$/, "");
    const code = await runCli([name, ...args], { stdout: keep, stderr: keep, cwd, env: {} }, "0");
    expect(code).not.toBe(0);
    expect(told).not.toBe("");
    expect(told).not.toContain(cwd);
  });
});
