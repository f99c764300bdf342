import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run, StepFailed, section } from "./command.mjs";
import { cache } from "./places.mjs";

/*
 * Installs the VS Code that tests and `npm run open` use: VS Code's own server and workbench as packed in the npm package
 * `code-server`. Nothing comes from Microsoft's download servers.
 */

/** The version that holds VS Code 1.100.3, the oldest that the extension supports. */
const codeServerVersion = "4.100.3";
/** Node's major version for which that server's native parts are built. */
const serverNodeMajor = 20;

/**
 * @typedef {{ node: string, prefix: string }} ServerNode `prefix` holds include/node, which native parts compile against.
 * @typedef {{ node: string, serverMain: string }} InstalledHost
 */

/**
 * Fills a folder under a temporary name and renames it when it is whole, so that an interrupted install is never used.
 *
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill
 */
async function installOnce(name, fill) {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  removeAbandoned(name);
  const partial = join(cache, `${name}.partial-${process.pid}`);
  try {
    mkdirSync(partial);
    writeFileSync(join(partial, "package.json"), "{}\n");
    await fill(partial);
    if (!existsSync(target)) renameSync(partial, target);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}

/** Removes what an install that was killed has left, but nothing of one that still runs. */
function removeAbandoned(name) {
  for (const entry of readdirSync(cache)) {
    const pid = entry.startsWith(`${name}.partial-`) ? Number(entry.split("-").at(-1)) : Number.NaN;
    if (!Number.isInteger(pid)) continue;
    try {
      process.kill(pid, 0);
    } catch {
      rmSync(join(cache, entry), { recursive: true, force: true });
    }
  }
}

/** @returns {Promise<ServerNode>} this Node if it fits and has its headers, else one from npm in a folder of its own. */
async function serverNode() {
  const prefix = dirname(dirname(process.execPath));
  const fits = Number(process.versions.node.split(".")[0]) === serverNodeMajor;
  if (fits && existsSync(join(prefix, "include", "node", "common.gypi"))) return { node: process.execPath, prefix };
  const packageName = `node-${process.platform}-${process.arch}`;
  const folder = await installOnce(`node-${serverNodeMajor}`, async (partial) => {
    section(`Node ${serverNodeMajor} for the test host (once)`);
    await npm(["install", "--ignore-scripts", `${packageName}@${serverNodeMajor}`], partial, process.env);
  });
  const own = join(folder, "node_modules", packageName);
  return { node: join(own, "bin", "node"), prefix: own };
}

function npm(args, cwd, env) {
  return run("npm", [...args, "--no-audit", "--no-fund"], { cwd, env, quiet: true });
}

function findOnPath(program) {
  const found = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  return found.find((path) => existsSync(path));
}

/** @param {ServerNode} server */
async function fillCodeServer(partial, server) {
  section(`VS Code 1.100.3 for tests: code-server ${codeServerVersion} (once, about half a minute)`);
  const env = {
    ...process.env,
    PATH: `${dirname(server.node)}${delimiter}${process.env.PATH ?? ""}`,
    npm_config_nodedir: server.prefix,
    // node-pty's build runs `npx node-gyp`, which would ask.
    npm_config_yes: "true",
  };
  const clean = ["ci", "--legacy-peer-deps", "--omit=dev", "--ignore-scripts"];
  await npm(["install", "--save-exact", "--ignore-scripts", `code-server@${codeServerVersion}`], partial, env);
  const vscode = join(partial, "node_modules", "code-server", "lib", "vscode");
  await npm(clean, vscode, env);
  linkRipgrep(vscode);
  await npm(["rebuild", "node-pty", "@vscode/spdlog", "native-watchdog"], vscode, env);
  if (!existsSync(join(vscode, "node_modules", "node-pty", "build", "Release", "pty.node"))) {
    throw new StepFailed("the native parts of the test host were not built: npm seems to block install scripts");
  }
  symlinkSync("node_modules", join(vscode, "node_modules.asar"));
  await npm(clean, join(vscode, "extensions"), env);
}

/** The package fetches ripgrep from the network in its install script; Debian's serves as well. */
function linkRipgrep(vscode) {
  const ripgrep = findOnPath("rg");
  if (ripgrep === undefined) throw new StepFailed("ripgrep (rg) is not installed");
  const bin = join(vscode, "node_modules", "@vscode", "ripgrep", "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(ripgrep, join(bin, "rg"));
}

/**
 * Installs the host into the cache unless it is there.
 *
 * @returns {Promise<InstalledHost>}
 * @throws {StepFailed} with the npm output when a download or a build fails.
 */
export async function installHost() {
  const server = await serverNode();
  const name = `code-server-${codeServerVersion}-${process.platform}-${process.arch}`;
  const folder = await installOnce(name, (partial) => fillCodeServer(partial, server));
  const serverMain = join(folder, "node_modules", "code-server", "lib", "vscode", "out", "server-main.js");
  if (!existsSync(serverMain)) throw new StepFailed(`the test host in ${folder} is incomplete: remove that folder`);
  return { node: server.node, serverMain };
}
