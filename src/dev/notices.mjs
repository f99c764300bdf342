import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "./command.mjs";
import { root } from "./places.mjs";

/*
 * Licence texts of what is shipped inside our own files: the packages in the bundles, and the header libraries in the native parts.
 * A package without a text stops the packaging.
 */

/** A file that holds a licence, or a copyright line beside it. */
const isText = /^(licen[cs]e|copying|copyright)[\w.-]*$/i;
const isNotice = /^notices?(\.\w+)?$/i;

/** Header libraries that are compiled into the native parts, with the folder of their headers and where their licence is. */
const nativeLibraries = [
  { name: "nlohmann-json", headers: "/nlohmann/", debian: "nlohmann-json3-dev" },
  { name: "node-addon-api", headers: "/node-addon-api/", folder: "node_modules/node-addon-api" },
  { name: "node-api-headers", headers: "/node-api-headers/", folder: "node_modules/node-api-headers" },
];

/**
 * The folders of the packages that inputs of a bundle come from, each once, in the order of their names.
 *
 * @param {Iterable<string>} inputs paths as esbuild's metafile has them
 * @returns {string[]}
 */
export function packagesOf(inputs) {
  const found = new Set();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) found.add(folder);
  }
  return [...found].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

const nameOf = (folder) => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);

/**
 * The notices of packages, one after the other.
 *
 * @param {readonly string[]} folders
 * @param {string} [base] what they are relative to
 * @throws {StepFailed} naming every package that has no licence text, neither of its own nor in the notices of another one
 */
export function noticesOf(folders, base = root) {
  const packages = folders.map((folder) => readPackage(join(base, folder)));
  const carried = new Map(packages.flatMap(({ notices }) => notices));
  const missing = [];
  const texts = packages.map(({ title, name, own }) => {
    const text = own === "" ? carried.get(name) : own;
    if (text === undefined) missing.push(name);
    return `${title}\n\n${text}`;
  });
  if (missing.length > 0) throw new StepFailed(`no licence text of ${missing.join(", ")}, which the bundles hold`);
  return [...new Set(texts)].join(rule);
}

const rule = `\n\n${"-".repeat(80)}\n\n`;

function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const by = typeof author === "string" ? author : author?.name;
  const files = readdirSync(folder).sort();
  const read = (file) => readFileSync(join(folder, file), "utf8").trim();
  const notices = files.filter((file) => isNotice.test(file)).flatMap((file) => sectionsOf(read(file)));
  const own = files.filter((file) => isText.test(file)).map(read);
  const title = `${name} ${version} (${license})${by === undefined ? "" : ` by ${by}`}`;
  return { title, name, own: own.join("\n\n"), notices };
}

/** Sections of a file of notices, by package: a line `name version - licence`, its address, its text, a line of dashes. */
function sectionsOf(text) {
  return text
    .split(/^-{3,}$/m)
    .map((section) => /^\s*(\S+) [\d.]+ - \S[^\n]*\n(?:https?:\S+\n)?([\s\S]+)$/.exec(section))
    .filter((parts) => parts !== null)
    .map(([, name, body]) => [name, body.trim()]);
}

/**
 * The notices of the header libraries in the native parts.
 *
 * @param {string} [documents] where Debian keeps the copyright of its packages
 * @throws {StepFailed} when one has no text here
 */
export function nativeNotices(documents = "/usr/share/doc") {
  return nativeLibraries
    .map(({ name, folder, debian }) => {
      if (folder !== undefined) return noticesOf([folder]);
      const path = join(documents, debian, "copyright");
      if (!existsSync(path)) throw new StepFailed(`no licence text of ${name}: ${path} does not exist`);
      return `${name}\n\n${headersPart(readFileSync(path, "utf8"))}`;
    })
    .join(rule);
}

/** What a Debian copyright file says of the whole and of its headers: not of tests, tools and packaging. */
function headersPart(text) {
  const stanzas = text.trim().split(/\n\s*\n/);
  const files = stanzas.filter((stanza) => /^Files: (\*|include\/)/.test(stanza));
  const names = new Set(files.map((stanza) => /^License: (\S+)/m.exec(stanza)?.[1]));
  const licences = stanzas.filter((stanza) => names.has(/^License: (\S+)/.exec(stanza)?.[1]));
  return [...files, ...licences].join("\n\n");
}

/**
 * Headers that the shipped native parts were compiled with and that belong to nobody known here: a library was added. Those that
 * lie in `/usr/include` itself are the C library's.
 *
 * @param {string} dependencies what the compiler wrote into its `.d` files
 * @returns {string[]} their folders
 */
export function unknownHeaders(dependencies) {
  const isKnown = (path) => nativeLibraries.some(({ headers }) => path.includes(headers));
  const isOfSystem = /^\/usr\/(lib\/gcc|include\/(c\+\+|\w+-linux-gnu|linux|asm-generic|asm|bits|sys|[\w.+-]+\.h$))/;
  const paths = dependencies.split(/[\s\\]+/).filter((path) => path.startsWith("/") && !path.endsWith(":"));
  const foreign = paths.filter((path) => !isKnown(path) && !isOfSystem.test(path) && !path.startsWith(`${root}/`));
  return [...new Set(foreign.map((path) => path.slice(0, path.lastIndexOf("/"))))];
}

/**
 * Holds the headers of a native build against the libraries whose licences are known.
 *
 * @param {string} folder of the build
 * @throws {StepFailed} with the folders of the others
 */
export function checkNativeHeaders(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".d"));
  const shipped = files.filter((name) => !/native_tests|fake_cuda|kernels/.test(name.split("/CMakeFiles/").at(-1)));
  const unknown = unknownHeaders(shipped.map((name) => readFileSync(join(folder, name), "utf8")).join("\n"));
  if (unknown.length > 0) {
    throw new StepFailed(
      `the native parts hold headers whose licence src/dev/notices.mjs does not know: ${unknown.join(", ")}`,
    );
  }
}

/** The whole text of ThirdPartyNotices.txt. */
export function thirdPartyNotices(inputs, isNeutral) {
  const parts = [noticesOf(packagesOf(inputs)), ...(isNeutral ? [] : [nativeNotices()])];
  const head = "Parts of other projects are inside the files of this extension, under the licences that follow.";
  return `${head}${rule}${parts.join(rule)}\n`;
}
