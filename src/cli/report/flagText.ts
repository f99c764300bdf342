/** Where the texts of a help page begin, and where they are broken. */
const TEXT_COLUMN = 25;
const WIDTH = 110;

/** One flag of a help page: its name and value in the first column, what it does in the second, broken between words. */
export function flagText(flag: string, text: string): string {
  const lines = [`  ${flag}`.padEnd(TEXT_COLUMN - 1)];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${" ".repeat(TEXT_COLUMN)}${word}`);
  }
  return lines.join("\n");
}
