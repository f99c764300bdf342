import { ModuleMark, type ModuleMarkValue } from "../../core/modules/view/moduleMarks.js";
import { icon } from "../kit/element.js";

const paths: Readonly<Record<ModuleMarkValue, readonly string[]>> = {
  [ModuleMark.none]: [],
  // Down into a tray: to the host.
  [ModuleMark.moves]: ["M8 2.5v7M5 6.8l3 3 3-3", "M2.5 10v3h11v-3"],
  // A chip: on the device.
  [ModuleMark.stays]: [
    "M4.5 4.5h7v7h-7z",
    "M6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14",
  ],
  [ModuleMark.nothing]: ["M8 3a5 5 0 1 0 0 10a5 5 0 0 0 0-10z", "M4.6 4.6l6.8 6.8"],
  [ModuleMark.unknown]: ["M5.8 6a2.2 2.2 0 1 1 3 2c-.6.3-.8.6-.8 1.2v.3", "M8 12.4v.1"],
};

const names: Readonly<Record<ModuleMarkValue, string>> = {
  [ModuleMark.none]: "not selected",
  [ModuleMark.moves]: "moves",
  [ModuleMark.stays]: "stays on the device",
  [ModuleMark.nothing]: "no effect",
  [ModuleMark.unknown]: "effect not known",
};

export function markIcon(mark: ModuleMarkValue): SVGSVGElement {
  return icon(...paths[mark]);
}

/** What a mark is called, here and by screen readers. */
export function markName(mark: ModuleMarkValue): string {
  return names[mark];
}

export const twistyIcon = (isOpen: boolean) => icon(isOpen ? "M4 6l4 4 4-4" : "M6 4l4 4-4 4");
export const copyIcon = () => icon("M6 6h7v7H6z", "M3 10V3h7");
/** Tick and dash of a box; drawn a little stronger. */
export const tickIcon = (isWhole: boolean) => icon(isWhole ? "M3.5 8.5l3 3 6-7" : "M4 8h8");
