import { visibleLines } from "../../core/base/visibleText.js";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * A new element with attributes and children. Text always becomes text nodes, with nothing unseen in it: names from files are never
 * markup, and neither hide nor reorder what stands beside them.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes?: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K];
export function element(tag: string, attributes?: Attributes, ...children: readonly (Node | string)[]): HTMLElement;
export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElement {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...shownChildren(children));
  return made;
}

function shownChildren(children: readonly (Node | string)[]): readonly (Node | string)[] {
  return children.map((child) => (typeof child === "string" ? visibleLines(child) : child));
}

/** `true` sets an empty attribute, `false` removes it. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? "" : visibleLines(String(value)));
  }
}

/** The text of an element, and nothing else in it; nothing unseen is left. */
export function setText(target: Element, text: string): void {
  target.textContent = visibleLines(text);
}

/** A 16-pixel line icon from path data, hidden from screen readers: the control around it has a name. */
export function icon(...paths: readonly string[]): SVGSVGElement {
  const lines = paths.map((d) => svgElement("path", { d }));
  const attributes = {
    viewBox: "0 0 16 16",
    width: 16,
    height: 16,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.3,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  return svgElement("svg", attributes, ...lines);
}

/** A new element of a picture. */
export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(made, attributes);
  made.append(...shownChildren(children));
  return made;
}
