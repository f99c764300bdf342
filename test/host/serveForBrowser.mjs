import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installHost } from "../../src/dev/hostInstall.mjs";
import { packageExtension } from "../../src/dev/package.mjs";
import { prepareProfile, serve } from "../../src/dev/vscodeHost.mjs";

/**
 * Global set-up of the vitest project `e2e`: one VS Code server with the packaged extension installed, for all files.
 * `OFFLOAD_LENS_VSIX` names a package that is already built.
 *
 * @param {import("vitest/node").TestProject} project
 */
export async function setup({ provide }) {
  const given = process.env.OFFLOAD_LENS_VSIX;
  const vsix = given !== undefined && existsSync(given) ? given : await packageExtension();
  const host = await installHost();
  const profile = mkdtempSync(join(tmpdir(), "offload-lens-e2e-"));
  await prepareProfile(host, profile, vsix);
  const { url, stop } = await serve(host, profile);
  provide("hostUrl", url);
  return async () => {
    await stop();
    rmSync(profile, { recursive: true, force: true });
  };
}
