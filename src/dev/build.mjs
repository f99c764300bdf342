import { bundle } from "./bundle.mjs";
import { script, section } from "./command.mjs";
import { shipNative } from "./native.mjs";
import { setUp } from "./setup.mjs";

/** `npm run build`: everything in dist/, for work on the sources. */
await script(async () => {
  await setUp("build");
  section("Native engine (a minute or two the first time)");
  await shipNative();
  section("Bundles");
  await bundle();
  console.log("dist/ is ready.");
});
