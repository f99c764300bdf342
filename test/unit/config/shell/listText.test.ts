// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { meantList } from "../../../../src/core/config/shell/listText.js";

describe("meantList", () => {
  it.each([
    ["model.layers.{*}", '["model.layers.{*}"]'],
    ["[model.layers.{*}, 'b']", '["model.layers.{*}","b"]'],
    ["a,b", '["a","b"]'],
    ["[model.layers.[0-3]]", '["model.layers.[0-3]"]'],
    ["[a.{0,1},b]", '["a.{0,1}","b"]'],
    ["[a.\\{*\\}]", '["a.{*}"]'],
  ])("%s", (text, expected) => {
    expect(meantList(text)).toBe(expected);
  });

  it.each(["", "[a,]", "[a", "a]", "[{]", "${a.b}", "[\uFFFC]"])("finds no list in %j", (text) => {
    expect(meantList(text)).toBeUndefined();
  });
});
