/**
 * True for files inside verl's own config tree, where its continuous integration demands a comment above each field, a blank
 * line between fields and no trailing comments. Fixes there follow that format.
 */
export function followsVerlFormat(path: string): boolean {
  return /(?:^|\/)verl\/trainer\/config\//.test(path.replaceAll("\\", "/"));
}
