import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { script, section } from "./command.mjs";
import { installHost } from "./hostInstall.mjs";
import { packageExtension } from "./package.mjs";
import { sample } from "./places.mjs";
import { setUp } from "./setup.mjs";
import { tryFolder } from "./try.mjs";
import { prepareProfile, serve } from "./vscodeHost.mjs";

/**
 * `npm run open`: a real VS Code on loopback with the packaged extension installed and a copy of the sample open.
 * Ctrl-C ends it and removes the copy.
 */
await script(async () => {
  await setUp("serve");
  section("Package");
  const vsix = await packageExtension();
  const host = await installHost();
  const folder = mkdtempSync(join(tmpdir(), "offload-lens-open-"));
  try {
    const workspace = join(folder, "sample");
    // What `npm run try` left, with its saved profile, is the better thing to look at.
    cpSync(existsSync(tryFolder) ? tryFolder : sample, workspace, { recursive: true });
    const profile = join(folder, "profile");
    await prepareProfile(host, profile, vsix);
    const { url, stop } = await serve(host, profile);
    console.log(`\nOpen this in a browser:\n\n  ${url}/?folder=${encodeURIComponent(workspace)}\n`);
    console.log('Then open veomni.yaml and click "Profile offload" above the block.');
    if (existsSync(tryFolder))
      console.log("The profile of `npm run try` is .offload-lens/sample.offload in the explorer.");
    console.log("Ctrl-C stops the server.");
    await interrupted();
    await stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function interrupted() {
  return new Promise((resolve) => {
    // The listeners alone would not keep the process alive.
    const alive = setInterval(() => {}, 2 ** 30);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
}
