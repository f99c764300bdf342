import { iconButton } from "./controls.js";
import { element, setAttributes } from "./element.js";

export interface MenuItem {
  readonly text: string;
  readonly title: string;
  choose(): void;
}

let count = 0;

/** A button that opens a short list of actions, as the ARIA practices describe it: arrows move, Escape closes. */
export function menuButton(label: string, picture: SVGSVGElement, items: () => readonly MenuItem[]): HTMLElement {
  const id = `menu-${++count}`;
  const menu = element("div", { class: "menu", role: "menu", id, "aria-label": label, hidden: true });
  const button = iconButton(label, picture, () => (menu.hidden ? open() : close()));
  setAttributes(button, { "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": id });
  const close = () => {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  const open = () => {
    menu.replaceChildren(...items().map((item) => createItem(item, () => leave(item))));
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    focusItem(menu, 0);
  };
  const leave = (item: MenuItem) => {
    close();
    button.focus();
    item.choose();
  };
  menu.addEventListener("keydown", (event) => {
    const at = [...menu.children].indexOf(event.target as Element);
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    // Letters are not for the timeline while a menu is open.
    if (event.key !== "Tab") event.stopPropagation();
    if (event.key === "Escape") {
      close();
      button.focus();
    }
    if (step === undefined) return;
    event.preventDefault();
    focusItem(menu, step);
  });
  const root = element("div", { class: "menu-holder" }, button, menu);
  root.addEventListener("focusout", (event) => {
    if (!root.contains(event.relatedTarget as Node | null)) close();
  });
  return root;
}

function createItem({ text, title }: MenuItem, onPress: () => void): HTMLElement {
  const item = element("button", { type: "button", role: "menuitem", tabindex: -1, title }, text);
  item.addEventListener("click", onPress);
  return item;
}

function focusItem(menu: HTMLElement, at: number): void {
  const items = [...menu.children] as HTMLElement[];
  items[(at + items.length) % items.length]?.focus();
}
