import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

/** The part of speedscope that reads files. */
export interface SpeedscopeImporter {
  importProfilesFromArrayBuffer(
    name: string,
    bytes: ArrayBuffer,
  ): Promise<{ readonly profiles: readonly unknown[] } | null>;
}

/**
 * The importer of the installed package, as shipped: its bundle is one script for a page, so it runs in a context without a
 * page (its user interface stops at once), with a way to the importer put in front.
 */
export async function speedscopeImporter(root: string): Promise<SpeedscopeImporter> {
  const folder = join(root, "node_modules", "speedscope", "dist", "release");
  const bundle = readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
  if (bundle === undefined) throw new Error("speedscope has no bundle");
  const text = readFileSync(join(folder, bundle), "utf8");
  const exports = /([\w$]+)=\{\};[\w$]+\(\1,\{(?:[\w$]+:\(\)=>[\w$]+,)*importProfilesFromArrayBuffer/.exec(text)?.[1];
  const prepare = new RegExp(`([\\w$]+)\\(\\),${exports}\\)`).exec(text)?.[1];
  if (exports === undefined || prepare === undefined) throw new Error("speedscope's bundle looks different now");
  const page: Record<string, unknown> = {
    TextDecoder,
    TextEncoder,
    setTimeout,
    performance,
    URL,
    console: { log() {}, warn() {} },
  };
  Object.assign(page, { window: page, self: page, document: {}, navigator: { userAgent: "" } });
  vm.createContext(page);
  try {
    vm.runInContext(text.replace("(()=>{", `(()=>{globalThis.importer=()=>{${prepare}();return ${exports}};`), page);
  } catch {
    // There is no page to show itself on.
  }
  return (page.importer as () => SpeedscopeImporter)();
}
