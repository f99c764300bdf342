/** Longer texts are no slip of the keys, and comparing them would cost time. */
const maxLength = 64;

/** The known names closest to `wanted`, best first, at most three: at most a third of the longer name differs. */
export function nearestNames(wanted: string, known: Iterable<string>): readonly string[] {
  if (wanted === "" || wanted.length > maxLength) return [];
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const name of new Set(known)) {
    const allowed = Math.ceil(Math.max(wanted.length, name.length) / 3);
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const edits = editDistance(wanted, name);
    if (edits <= allowed && edits < wanted.length) near.push({ name, edits });
  }
  return near
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map((entry) => entry.name);
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
