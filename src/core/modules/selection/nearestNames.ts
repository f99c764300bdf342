import { distanceWithin } from "../../base/spelling.js";

/** Longer texts are no slip of the keys, and comparing them would cost time. */
const maxLength = 64;

/** The known names closest to `wanted`, best first, at most three: at most a third of the longer name differs. */
export function nearestNames(wanted: string, known: Iterable<string>): readonly string[] {
  if (wanted === "" || wanted.length > maxLength) return [];
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const name of new Set(known)) {
    const allowed = Math.ceil(Math.max(wanted.length, name.length) / 3);
    const edits = distanceWithin(wanted, name, allowed);
    if (edits !== undefined && edits < wanted.length) near.push({ name, edits });
  }
  return near
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map((entry) => entry.name);
}
