/** `NAME=`, `NAME+=`, `NAME++` and `NAME--`; comparisons change nothing. An index may stand behind the name. */
const CHANGED_BEFORE = /(?<!\w)([A-Za-z_]\w*)(?:\[[^\]\n]{0,200}\])?[ \t\n]*(?:\+\+|--|(?:<<|>>|[-+*/%&|^])?=(?!=))/g;
const CHANGED_BEHIND = /(?:\+\+|--)[ \t\n]*([A-Za-z_]\w*)/g;

/** The variables that an arithmetic expression of bash changes. */
export function changedBy(expression: string): readonly string[] {
  const found = [CHANGED_BEFORE, CHANGED_BEHIND].flatMap((pattern) => [...expression.matchAll(pattern)]);
  return [...new Set(found.map((match) => match[1] ?? ""))];
}
