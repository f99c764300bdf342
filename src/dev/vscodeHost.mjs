import { spawn } from "node:child_process";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run, StepFailed } from "./command.mjs";

/*
 * A VS Code on loopback: a profile folder with its own settings and extensions, and a server in its own process group.
 */

/** A quiet editor: nothing pops up over what a test or a reader wants to see, nothing asks the network. */
const settings = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "chat.disableAIFeatures": true,
  "files.autoSave": "off",
};

/**
 * @typedef {import("./hostInstall.mjs").InstalledHost} InstalledHost
 * @typedef {{ url: string, port: number, stop: () => Promise<void> }} RunningHost
 */

function profileArguments(profile) {
  return [
    "--accept-server-license-terms",
    "--telemetry-level",
    "off",
    "--user-data-dir",
    join(profile, "user"),
    "--extensions-dir",
    join(profile, "extensions"),
    "--server-data-dir",
    join(profile, "server"),
  ];
}

/** Settings of a terminal inside an editor (VSCODE_…) would confuse a second server. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VSCODE_")));
}

/**
 * Makes a profile folder with the .vsix installed.
 *
 * @param {InstalledHost} host
 * @param {string} profile folder, made when absent
 * @param {string} vsix
 */
export async function prepareProfile(host, profile, vsix) {
  const userFolder = join(profile, "user", "User");
  mkdirSync(userFolder, { recursive: true });
  writeFileSync(join(userFolder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
  const install = [host.serverMain, ...profileArguments(profile), "--install-extension", vsix, "--force"];
  await run(host.node, install, { quiet: true, env: cleanEnvironment() });
}

/** @returns {Promise<number>} a TCP port of 127.0.0.1 that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Starts the server and waits until it answers. Its output goes to `<profile>/server.log`.
 *
 * @param {InstalledHost} host
 * @param {string} profile made by `prepareProfile`
 * @param {{ port?: number }} [options]
 * @returns {Promise<RunningHost>}
 */
export async function serve(host, profile, options = {}) {
  const port = options.port ?? (await freePort());
  const logPath = join(profile, "server.log");
  const log = openSync(logPath, "a");
  const args = [host.serverMain, ...profileArguments(profile), "--host", "127.0.0.1", "--port", String(port)];
  args.push("--without-connection-token", "--enable-smoke-test-driver", "--disable-workspace-trust");
  const server = spawn(host.node, args, { detached: true, stdio: ["ignore", log, log], env: cleanEnvironment() });
  const stop = stopper(server);
  const url = `http://127.0.0.1:${port}`;
  if (!(await answers(url, server))) {
    await stop();
    throw new StepFailed(`the VS Code server did not start on port ${port}; its log is ${logPath}`);
  }
  return { url, port, stop };
}

async function answers(url, server) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && server.exitCode === null) {
    try {
      const reply = await fetch(`${url}/version`);
      if (reply.ok) return true;
    } catch {
      // not listening yet
    }
    await delay(100);
  }
  return false;
}

/** Ends the whole process group (extension hosts, profilers) and waits for the server itself. */
function stopper(server) {
  const ended = new Promise((resolve) => server.once("close", resolve));
  const signal = (name) => {
    try {
      process.kill(-server.pid, name);
    } catch {
      // the group is gone
    }
  };
  const onExit = () => signal("SIGKILL");
  process.once("exit", onExit);
  return async () => {
    signal("SIGTERM");
    await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
    signal("SIGKILL");
    await ended;
    process.off("exit", onExit);
  };
}
