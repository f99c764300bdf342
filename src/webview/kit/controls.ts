import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeProgressRing,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { element, setAttributes, setText } from "./element.js";

/* The only place that knows the control kit, so that it can be exchanged. */

/** Makes the controls available; once, before the first is created. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}

export function textButton(label: string, title: string, onPress: () => void): HTMLElement {
  const button = element("vscode-button", { appearance: "secondary", title }, label);
  button.addEventListener("click", onPress);
  return button;
}

/** A button that shows only a picture; `label` names it for screen readers and in the hover. */
export function iconButton(label: string, picture: SVGSVGElement, onPress: () => void): HTMLElement {
  const button = element("vscode-button", { appearance: "icon", title: label, "aria-label": label }, picture);
  button.addEventListener("click", onPress);
  return button;
}

/** A plain element: the kit's own badge writes a style attribute, which the page's policy refuses. */
export function badge(text: string, title: string): HTMLElement {
  return element("span", { class: "badge", title }, text);
}

/** A plain field for text: the kit's own one replaces its name by "Text field". Escape leaves it. */
export function searchField(label: string, placeholder: string, onChange: (text: string) => void): HTMLInputElement {
  const field = element("input", { type: "text", class: "text-field", placeholder, "aria-label": label, title: label });
  field.spellcheck = false;
  field.addEventListener("input", () => onChange(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.blur();
  });
  return field;
}

/** A field that says what is wrong with its text; `onChange` returns null where all is well. */
export function checkedField(
  label: string,
  placeholder: string,
  onChange: (text: string) => string | null,
): HTMLInputElement {
  const field = searchField(label, placeholder, (text) => {
    const fault = onChange(text);
    setAttributes(field, { title: fault ?? label, "aria-invalid": fault === null ? false : "true" });
    field.setCustomValidity(fault ?? "");
  });
  return field;
}

/** A box to tick. */
export function checkbox(label: string, title: string, onChange: (checked: boolean) => void): HTMLInputElement {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => onChange(box.checked));
  element("label", { class: "checkbox", title }, box, label);
  return box;
}

export function progressRing(): HTMLElement {
  return element("vscode-progress-ring", { "aria-hidden": "true" });
}

export function textField(label: string, placeholder: string, onChange: (text: string) => void): HTMLElement {
  const field = element("vscode-text-field", { placeholder, "aria-label": label });
  field.addEventListener("input", () => onChange((field as HTMLElement & { value: string }).value));
  // The kit puts a name of its own in the place of ours whenever the field joins the page.
  new MutationObserver(() => {
    if (field.getAttribute("aria-label") !== label) setAttributes(field, { "aria-label": label });
  }).observe(field, { attributeFilter: ["aria-label"] });
  return field;
}

/** A list to choose one of; `choices` are pairs of value and label. */
export function dropdown(
  label: string,
  choices: readonly (readonly [string, string])[],
  onChange: (value: string) => void,
): HTMLElement {
  // Above, the tabs of a panel would cover its choices.
  const list = element("vscode-dropdown", { "aria-label": label, position: "below" });
  for (const [value, text] of choices) list.append(element("vscode-option", { value }, text));
  list.addEventListener("change", () => onChange((list as HTMLElement & { value: string }).value));
  return list;
}

/** True where a key press belongs to a control that takes text or opens a list. */
export function takesKeys(event: Event): boolean {
  return event
    .composedPath()
    .some(
      (target) => target instanceof Element && /^(input|textarea|vscode-(dropdown|text-field))$/i.test(target.tagName),
    );
}

export interface TabStrip {
  readonly root: HTMLElement;
  /** Replaces the labels; `-1` marks none. */
  show(labels: readonly TabLabel[], active: number): void;
}

export interface TabLabel {
  readonly text: string;
  readonly title: string;
  /** What a screen reader says where `text` is shortened. */
  readonly name?: string;
  /** Id of the element that the tab shows. */
  readonly controls?: string;
}

/** Tabs as the ARIA practices describe them: one stop for Tab, arrows move, the active one is marked by more than colour. */
export function tabStrip(label: string, idPrefix: string, onChoose: (at: number) => void): TabStrip {
  const root = element("div", { role: "tablist", "aria-label": label, class: "tabs" });
  const move = (event: KeyboardEvent) => {
    const tabs = [...root.children];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const target = event.key === "Home" ? 0 : event.key === "End" ? tabs.length - 1 : undefined;
    const at = tabs.indexOf(event.target as Element);
    if (at < 0 || (step === undefined && target === undefined)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = target ?? (at + (step ?? 0) + tabs.length) % tabs.length;
    onChoose(next);
    (root.children[next] as HTMLElement | undefined)?.focus();
  };
  root.addEventListener("keydown", move);
  return {
    root,
    show(labels, active) {
      while (root.children.length > labels.length) root.lastElementChild?.remove();
      labels.forEach(({ text, title, name, controls }, at) => {
        const tab = root.children[at] ?? root.appendChild(newTab(`${idPrefix}-${at}`, () => onChoose(at)));
        if (tab.textContent !== text) setText(tab, text);
        setAttributes(tab, {
          title,
          "aria-label": name ?? false,
          "aria-controls": controls ?? false,
          "aria-selected": String(at === active),
          tabindex: at === active || (active < 0 && at === 0) ? 0 : -1,
        });
      });
    },
  };
}

function newTab(id: string, onPress: () => void): HTMLElement {
  const tab = element("button", { role: "tab", type: "button", id, class: "tab" });
  tab.addEventListener("click", onPress);
  return tab;
}
