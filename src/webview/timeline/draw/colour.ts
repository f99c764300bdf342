/** Red, green, blue and opacity, each 0 … 1. */
export type Rgba = readonly [number, number, number, number];

/** Reads `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(…)` and `rgba(…)`, as VS Code writes theme colours; anything else is grey. */
export function parseColour(text: string): Rgba {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const parts = /^rgba?\(([^)]*)\)$/i
    .exec(text)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  const [red, green, blue, alpha = 1] = parts ?? [];
  if (red === undefined || green === undefined || blue === undefined) return [0.5, 0.5, 0.5, 1];
  return [red / 255, green / 255, blue / 255, alpha];
}

function fromHex(hex: string): Rgba {
  const short = hex.length < 6;
  const part = (at: number, otherwise: number) => {
    const digits = short ? (hex[at] ?? "").repeat(2) : hex.slice(at * 2, at * 2 + 2);
    return digits.length === 2 ? Number.parseInt(digits, 16) / 255 : otherwise;
  };
  return [part(0, 0.5), part(1, 0.5), part(2, 0.5), part(3, 1)];
}

const readable = new Map<string, string>();

/** Black or white, whichever reads better on an opaque colour. */
export function readableOn(colour: string): string {
  const known = readable.get(colour);
  if (known !== undefined) return known;
  const [red, green, blue] = parseColour(colour);
  const chosen = 0.299 * red + 0.587 * green + 0.114 * blue > 118 / 255 ? "#000000" : "#ffffff";
  readable.set(colour, chosen);
  return chosen;
}
