import { resolve } from "node:path";

/** What a path goes on with, or comes from: between two of them no path begins. */
const inPath = /[\w./~$@+-]/;

/**
 * A change to messages: the paths that stand in a command line are shown as they stand there, and not from the root of the file
 * system. What lies below such a path begins with it.
 */
export function pathsAsGiven(args: readonly string[], cwd: string): (text: string) => string {
  const given = args
    .map((arg) => arg.replace(/^--[\w-]+=/, "").replace(/^sim:/, ""))
    .filter((arg) => arg !== "" && !arg.startsWith("-"))
    .map((arg) => ({ path: resolve(cwd, arg), shown: arg === "/" ? arg : arg.replace(/\/+$/, "") }))
    .filter(({ path, shown }) => path !== shown && path !== "/")
    .sort((a, b) => b.path.length - a.path.length);
  return (text) => given.reduce(replaced, text);
}

function replaced(text: string, { path, shown }: { readonly path: string; readonly shown: string }): string {
  return text.replaceAll(path, (found, at: number, whole: string) => {
    const [before, after] = [whole[at - 1] ?? "", whole[at + found.length] ?? ""];
    const isWhole = !inPath.test(before) && (!shown.endsWith(".") || after === "/" || !inPath.test(after));
    return isWhole ? shown : found;
  });
}
