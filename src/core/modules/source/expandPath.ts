import { fail, type Outcome, succeed } from "../../base/outcome.js";

/** Variables of the process, as far as paths may use them; `HOME` gives `~`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A path as a shell would expand it: a leading `~`, `$NAME`, `${NAME}`, and the defaults `${NAME:-text}` and `${NAME-text}`, in which
 * variables may stand again; also OmegaConf's `${oc.env:NAME}`. Nothing is executed. Fails with `MODEL_PATH_VARIABLE_UNKNOWN`.
 */
export function expandPath(text: string, environment: Environment): Outcome<string> {
  const missing = new Set<string>();
  const expanded = expandVariables(expandHome(text, environment), environment, missing, 0);
  const [name] = missing;
  if (name === undefined) return succeed(expanded);
  const message = `The path ${JSON.stringify(text.slice(0, 200))} needs the variable ${name}, which is not set.`;
  const nextStep = "Set the variable, or give the path itself.";
  return fail({ code: "MODEL_PATH_VARIABLE_UNKNOWN", message, nextStep });
}

function expandHome(text: string, environment: Environment): string {
  const home = environment.HOME;
  return home !== undefined && /^~(\/|$)/.test(text) ? home + text.slice(1) : text;
}

const maxDepth = 8;
const plain = /^\$([A-Za-z_]\w*)/;

function expandVariables(text: string, environment: Environment, missing: Set<string>, depth: number): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const dollar = text.indexOf("$", at);
    if (dollar < 0 || depth > maxDepth) return result + text.slice(at);
    result += text.slice(at, dollar);
    const end = text[dollar + 1] === "{" ? closingBrace(text, dollar + 1) : -1;
    const name = plain.exec(text.slice(dollar, dollar + 256))?.[1];
    if (end > 0) {
      result += braced(text.slice(dollar + 2, end), environment, missing, depth);
      at = end + 1;
    } else if (name !== undefined) {
      result += environment[name] ?? unset(name, missing);
      at = dollar + 1 + name.length;
    } else {
      result += "$";
      at = dollar + 1;
    }
  }
  return result;
}

/** `NAME`, `NAME:-default` or `NAME-default`; anything else stays as it is written. */
function braced(inside: string, environment: Environment, missing: Set<string>, depth: number): string {
  const parts = /^(?:oc\.env:)?([A-Za-z_]\w*)(?:(:?)-([\s\S]*))?$/.exec(inside);
  const name = parts?.[1];
  if (parts === null || name === undefined) return `\${${inside}}`;
  const value = environment[name];
  const fallback = parts[3];
  const counts = value !== undefined && (parts[2] !== ":" || value !== "");
  if (counts) return value;
  if (fallback === undefined) return unset(name, missing);
  return expandHome(expandVariables(fallback, environment, missing, depth + 1), environment);
}

function unset(name: string, missing: Set<string>): string {
  missing.add(name);
  return "";
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}
