import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const folder = import.meta.dirname;
const requirements = join(folder, "requirements.txt");

/** A folder of this machine for what may be made again, outside the repository. */
export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(base, "veomni-offload-lens", "yaml-fuzz");
}

/** The interpreter of an environment with the pinned loaders, made when it is not there; `problem` where that fails. */
export function pythonWithLoaders() {
  const venv = join(cacheFolder(), "venv");
  const python = join(venv, "bin", "python");
  const stamp = join(venv, "requirements.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return { python };
  mkdirSync(cacheFolder(), { recursive: true });
  const steps = [
    ["python3", ["-m", "venv", venv]],
    [python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]],
  ];
  for (const [command, args] of steps) {
    const run = spawnSync(command, args, { encoding: "utf8", timeout: 120_000 });
    if (run.error) return { problem: `${command} does not run: ${run.error.message}` };
    if (run.status !== 0) return { problem: `${command} ${args[1]} failed: ${run.stderr.trim().split("\n").at(-1)}` };
  }
  writeFileSync(stamp, wanted);
  return { python };
}

/** What the loaders say to each text: `{ loads, value }` or `{ loads: false, error }`. */
export function loadAll(python, requests) {
  const run = spawnSync(python, [join(folder, "load_yaml.py")], {
    input: requests.map((request) => JSON.stringify(request)).join("\n"),
    encoding: "utf8",
    maxBuffer: 1024 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`load_yaml.py failed: ${run.stderr.slice(-500)}`);
  return run.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
