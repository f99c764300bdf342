import { existsSync, mkdirSync, renameSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run, StepFailed } from "./command.mjs";
import { build, dist, root, shown } from "./places.mjs";

/** Build folders of the native engine: the one that ships, and two that look for memory errors and data races. */
export const nativeBuilds = {
  release: { folder: join(build, "native"), sanitize: "" },
  asan: { folder: join(build, "native-asan"), sanitize: "address,undefined" },
  tsan: { folder: join(build, "native-tsan"), sanitize: "thread" },
};

/**
 * Configures and compiles one build. CMake skips what is up to date.
 *
 * @param {keyof typeof nativeBuilds} kind
 * @param {readonly string[]} [targets] CMake targets; none means all, tests included
 */
export async function compileNative(kind, targets = []) {
  const { folder, sanitize } = nativeBuilds[kind];
  const configure = ["-S", join(root, "native"), "-B", folder];
  if (sanitize !== "") configure.push(`-DOFFLOAD_SANITIZE=${sanitize}`);
  const jobs = String(Math.min(availableParallelism(), 8));
  await run("cmake", configure, { quiet: true });
  const only = targets.flatMap((target) => ["--target", target]);
  await run("cmake", ["--build", folder, "--parallel", jobs, ...only], { quiet: true });
}

/** Compiles the release build and puts the stripped addon and executable into dist/native. */
export async function shipNative() {
  await compileNative("release", ["offload-lens-addon", "offload-lens-engine"]);
  const target = join(dist, "native");
  mkdirSync(target, { recursive: true });
  for (const name of ["offload_lens.node", "offload-lens-engine"]) {
    const built = join(nativeBuilds.release.folder, name);
    if (!existsSync(built)) throw new StepFailed(`the native build did not make ${shown(built)}`);
    // A running editor may have the old file mapped: write beside it, then rename.
    const fresh = join(target, `.${name}.new`);
    await run("strip", ["--strip-unneeded", "-o", fresh, built], { quiet: true });
    renameSync(fresh, join(target, name));
  }
}
