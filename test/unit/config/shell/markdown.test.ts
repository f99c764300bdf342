// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { readMarkdown } from "../../../../src/core/config/shell/markdown.js";

function blocks(text: string): string[] {
  const shell = readMarkdown(text);
  expect(shell.text).toHaveLength(text.length);
  return shell.blocks.map(({ start, end }) => shell.text.slice(start, end));
}

describe("readMarkdown", () => {
  it.each<[string, string[]]>([
    ["x\n```bash\na b\n```\ny", ["a b\n"]],
    ["```\na\n```\n~~~ sh\nb\n~~~\n", ["a\n", "b\n"]],
    ["````shell\n```\n````\n", ["```\n"]],
    ["```python\na\n```\n", []],
    ["  ```sh\n  a\n  ```\n", ["  a\n"]],
    ["> ```sh\n> a\n> ```\n", ["  a\n"]],
    ["```{.bash}\na\n```\n", ["a\n"]],
    ["```console\n$ a \\\n  b\nout\n(env) u@h:~$ c\n```\n", ["  a \\\n  b\n   \n             c\n"]],
    ["```bash\n$ a\nout\n```\n", ["  a\n   \n"]],
    ["```bash\nopen", ["open"]],
    ["```bash title\r\na\r\n```\r\n", ["a\r\n"]],
    ["no fences $ a\n", []],
  ])("%j", (text, expected) => {
    expect(blocks(text)).toEqual(expected);
  });
});
