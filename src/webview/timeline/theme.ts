import type { MemoryPart } from "../../core/base/memoryParts.js";
import type { MemoryOf } from "../../core/timeline/columns/columns.js";
import { EventKind } from "../../core/timeline/columns/eventKind.js";
import { type EventMark, LANES, type MarkColour, type MarkPattern } from "../../core/timeline/columns/laneRoles.js";

/** How events of one kind look. The pattern tells kinds apart without colour. */
export interface EventLook {
  readonly colour: string;
  readonly pattern: MarkPattern;
  readonly meaning: string;
}

/** A colour at less than full strength, 0 to 1. */
export interface MarkTint {
  readonly colour: string;
  readonly strength: number;
}

/** Colours and fonts of the editor's present theme, as canvas strings. */
export interface Theme {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly line: string;
  readonly faint: string;
  readonly focus: string;
  readonly exposed: string;
  readonly memory: Readonly<Record<MemoryOf, string>>;
  /** Parts of device memory: what belongs together has one colour. */
  readonly parts: Readonly<Record<MemoryPart, MarkTint>>;
  readonly isHighContrast: boolean;
  readonly font: string;
  readonly smallFont: string;
  readonly boldFont: string;
  look(kind: number): EventLook;
  /** A copy stream that waits for compute: usual, free, and therefore quiet. */
  readonly quietWait: EventLook;
}

/** Reads the theme from the CSS variables that VS Code sets on the page. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string, fallback: string) => style.getPropertyValue(`--vscode-${name}`).trim() || fallback;
  const family = colour("font-family", "system-ui, sans-serif");
  const isHighContrast = document.body.className.includes("vscode-high-contrast");
  const isLight = /vscode-(light|high-contrast-light)/.test(document.body.className);
  const foreground = colour("editor-foreground", colour("foreground", isLight ? "#1f1f1f" : "#cccccc"));
  const contrast = colour("contrastBorder", "");
  const blue = colour("charts-blue", isLight ? "#1a85ff" : "#3794ff");
  const orange = colour("charts-orange", "#d18616");
  const purple = colour("charts-purple", isLight ? "#652d90" : "#b180d7");
  const yellow = colour("charts-yellow", isLight ? "#bf8803" : "#cca700");
  const red = colour("charts-red", isLight ? "#e51400" : "#f14c4c");
  const green = colour("charts-green", isLight ? "#388a34" : "#89d185");
  const grey = colour("descriptionForeground", isLight ? "#5f5f5f" : "#9d9d9d");
  const palette: Readonly<Record<MarkColour, string>> = { blue, orange, purple, yellow, red, green, grey };
  const looks = new Map<number, EventLook>(
    MARKS.map(({ kind, ...mark }) => [kind, { ...mark, colour: palette[mark.colour] }]),
  );
  const other: EventLook = { colour: foreground, pattern: "dotted", meaning: "other" };
  return {
    background: colour("editor-background", isLight ? "#ffffff" : "#1e1e1e"),
    foreground,
    muted: colour("descriptionForeground", isLight ? "#5f5f5f" : "#9d9d9d"),
    line: contrast || colour("panel-border", isLight ? "#d4d4d4" : "#3c3c3c"),
    faint: isLight ? "rgba(0,0,0,0.05)" : "rgba(255,255,255,0.05)",
    focus: colour("focusBorder", blue),
    exposed: red,
    memory: { device: green, pinned: purple, host: yellow },
    parts: {
      parameters: { colour: grey, strength: 0.55 },
      gathered: { colour: grey, strength: 0.3 },
      optimizerStates: { colour: purple, strength: 0.6 },
      gradients: { colour: yellow, strength: 0.75 },
      reduceBuffers: { colour: yellow, strength: 0.4 },
      other: { colour: foreground, strength: 0.2 },
      layerInputs: { colour: green, strength: 0.85 },
      recomputed: { colour: green, strength: 0.45 },
      logits: { colour: blue, strength: 0.85 },
      headTemporaries: { colour: red, strength: 0.7 },
      headGradient: { colour: orange, strength: 0.75 },
    },
    isHighContrast,
    font: `11px ${family}`,
    smallFont: `10px ${family}`,
    boldFont: `600 11px ${family}`,
    look: (kind): EventLook => looks.get(kind) ?? other,
    quietWait: { colour: foreground, pattern: "flat", meaning: meaningOf(EventKind.streamWait) },
  };
}

/** Marks of everything that is no work of a device. */
const OTHER_MARKS: readonly EventMark[] = [
  { kind: EventKind.hostWait, colour: "red", pattern: "crossed", meaning: "host waits for the device" },
  { kind: EventKind.streamWait, colour: "red", pattern: "flat", meaning: "stream waits for another stream" },
  { kind: EventKind.pinnedAllocation, colour: "yellow", pattern: "upright", meaning: "pinned allocation" },
  { kind: EventKind.operator, colour: "green", pattern: "plain", meaning: "operator on the host" },
  { kind: EventKind.runtimeCall, colour: "yellow", pattern: "dotted", meaning: "call of the driver or runtime" },
  { kind: EventKind.pythonFrame, colour: "grey", pattern: "plain", meaning: "Python frame" },
  { kind: EventKind.doubtful, colour: "grey", pattern: "crossed", meaning: "work with an impossible duration" },
];

/** How events of every kind look: those of devices as the table of lanes says, in its order. */
export const MARKS: readonly EventMark[] = [
  ...LANES.flatMap(({ events }): readonly EventMark[] => events),
  ...OTHER_MARKS,
];

/** Calls back whenever VS Code switches the theme: it changes classes and variables on the page. Returns how to stop. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class"] });
  return () => observer.disconnect();
}

/** What the page calls an event of this kind. */
export function meaningOf(kind: number): string {
  return MARKS.find((mark) => mark.kind === kind)?.meaning ?? "other";
}
