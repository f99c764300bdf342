import { afterEach, describe, expect, it } from "vitest";
import { type ServedPage, servePage } from "./servedPage.js";

const PAGES = [
  ["timeline", "fakeHost", "harness"],
  ["modules", "modulesHost", "modulesHarness"],
  ["sweep", "sweepHost", "sweepHarness"],
] as const;

let served: ServedPage | undefined;

afterEach(async () => {
  await served?.close();
  served = undefined;
});

/** What the policy refused so far: reports of the browser, as the stand-in counts them. */
function violations(harness: string): Promise<readonly string[]> {
  if (served === undefined) throw new Error("no page is open");
  return served.page.evaluate(
    (name) => (window as unknown as Record<string, { readonly violations: readonly string[] }>)[name]?.violations ?? [],
    harness,
  );
}

async function open(name: string, host: string): Promise<ServedPage["page"]> {
  served = await servePage(`src/webview/${name}/main.ts`, host);
  await served.page.goto(served.origin);
  await served.page.waitForFunction(() => customElements.get("vscode-button") !== undefined);
  return served.page;
}

/** Every control of the kit, as the pages make them, and what a style has to do with it. */
const CONTROLS = ["vscode-button", "vscode-dropdown", "vscode-option", "vscode-progress-ring", "vscode-text-field"];

describe.each(PAGES)("the policy of the %s page", (name, host, harness) => {
  it("lets the controls have their styles without any in the text", async () => {
    const page = await open(name, host);
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    expect(policy).not.toContain("unsafe");
    const styled = await page.evaluate(async (tags) => {
      const made = tags.map((tag) => document.createElement(tag));
      document.body.append(...made);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return made.map((each) => ({
        isDefined: customElements.get(each.localName) !== undefined,
        hasStyles: (each.shadowRoot?.adoptedStyleSheets.length ?? 0) > 0,
        display: getComputedStyle(each).display,
      }));
    }, CONTROLS);
    for (const { isDefined, hasStyles, display } of styled) {
      expect([isDefined, hasStyles]).toEqual([true, true]);
      expect(display).not.toBe("inline");
    }
    expect(await violations(harness)).toEqual([]);
    expect(served?.errors).toEqual([]);
  });

  it("refuses style elements and style attributes, and says so", async () => {
    const page = await open(name, host);
    await page.evaluate(async () => {
      const style = document.createElement("style");
      style.textContent = "body { opacity: 0.5 }";
      document.head.append(style);
      document.body.setAttribute("style", "opacity: 0.5");
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await page.evaluate(() => getComputedStyle(document.body).opacity)).toBe("1");
    const refused = (await violations(harness)).map((each) => each.split(" ")[0]);
    expect([...refused].sort()).toEqual(["style-src-attr", "style-src-elem"]);
  });
});
