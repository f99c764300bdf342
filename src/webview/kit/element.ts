import { visibleLines } from "../../core/base/visibleText.js";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A new element with attributes and children. Text always becomes text nodes with nothing unseen: names from files are never markup, and hide nothing. */
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
  made.append(...children.map((child) => (typeof child === "string" ? visibleLines(child) : child)));
  return made;
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
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  setAttributes(svg, {
    viewBox: "0 0 16 16",
    width: 16,
    height: 16,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.3,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  });
  for (const data of paths) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", data);
    svg.append(path);
  }
  return svg;
}
