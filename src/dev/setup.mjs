import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, StepFailed, section } from "./command.mjs";
import { root } from "./places.mjs";

/*
 * Brings a machine from a bare clone to a state in which a job can run: Debian packages, then npm packages. Uses nothing
 * but Node itself, because it runs before `npm ci`.
 */

const lowestNode = 20;

/** Debian package -> how to see that what it brings is there. The first path or program found is enough. */
const systemParts = {
  cmake: { programs: ["cmake"] },
  make: { programs: ["make"] },
  "g++": { programs: ["g++"] },
  binutils: { programs: ["objdump"] },
  "nlohmann-json3-dev": { headers: ["nlohmann/json.hpp"] },
  "doctest-dev": { headers: ["doctest/doctest.h"] },
  python3: { programs: ["python3"] },
  ripgrep: { programs: ["rg"] },
  chromium: { programs: ["chromium"] },
  "fonts-dejavu-core": { files: ["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"] },
};

const compile = ["cmake", "make", "g++", "binutils", "nlohmann-json3-dev", "doctest-dev"];
const serve = [...compile, "python3", "ripgrep"];

/** Debian packages per job; `serve` runs a VS Code, `browse` also drives a browser against it. */
const jobs = { check: [], build: compile, serve, browse: [...serve, "chromium", "fonts-dejavu-core"] };

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isPresent({ programs = [], headers = [], files = [] }) {
  const headerFolders = ["/usr/include", "/usr/local/include"];
  return (
    programs.some(onPath) ||
    headers.some((header) => headerFolders.some((folder) => existsSync(join(folder, header)))) ||
    files.some((file) => existsSync(file))
  );
}

/**
 * The Debian packages that a job needs and that this machine lacks.
 *
 * @param {keyof typeof jobs} job
 */
export function missingSystemPackages(job) {
  return jobs[job].filter((name) => !isPresent(systemParts[name]));
}

async function installSystemPackages(job) {
  const missing = missingSystemPackages(job);
  if (missing.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  const isDebian = existsSync("/etc/debian_version") && onPath("apt-get");
  if (!isDebian) {
    throw new StepFailed(`needs what Debian calls ${missing.join(", ")}. On Debian that is:\n  ${install}`);
  }
  if (process.getuid?.() !== 0) {
    throw new StepFailed(
      `system packages are missing. Run this line, then try again:\n  sudo sh -c 'apt-get update && ${install}'`,
    );
  }
  section(`Debian packages: ${missing.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env, quiet: true });
  await run("apt-get", install.split(" ").slice(1), { env, quiet: true });
}

/**
 * Whether an install holds exactly the versions of the lock. Both arguments are the `packages` member of npm's lock format.
 * Optional packages may be absent: they are for other platforms.
 *
 * @param {Record<string, { version?: string }>} installed
 * @param {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} locked
 */
export function matchesLock(installed, locked) {
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "") return true;
    const present = installed[path];
    if (present === undefined) return entry.optional === true || entry.devOptional === true;
    return present.version === entry.version;
  });
}

/** npm writes its own record at the end of an install, so an interrupted one does not count. */
function nodeModulesAreCurrent() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const packagesOf = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  return matchesLock(packagesOf(record), packagesOf(join(root, "package-lock.json")));
}

async function installNpmPackages() {
  if (nodeModulesAreCurrent()) return;
  section("npm packages");
  // Nothing here needs a package's install script, and running none is the safer habit.
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { quiet: true });
}

/**
 * @param {keyof typeof jobs} job
 * @throws {StepFailed} with the line to run when something is missing that this user cannot install.
 */
export async function setUp(job) {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < lowestNode) {
    throw new StepFailed(`needs Node ${lowestNode} or newer, this is ${process.version}. See https://nodejs.org`);
  }
  await installSystemPackages(job);
  await installNpmPackages();
}
