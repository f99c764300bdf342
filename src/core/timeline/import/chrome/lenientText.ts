import { decodeUtf8, parseJsonText } from "../../../base/utf8.js";
import { NameRepair } from "./nameRepair.js";

/**
 * The text of the bytes between two quotes of a JSON file. What is not UTF-8 and what JSON does not allow (bare control
 * characters, unknown escapes) is replaced instead of refused; `repair` says so. `isRaw` promises that there is no backslash.
 */
export function decodeLeniently(bytes: Uint8Array, isRaw: boolean): { text: string; repair: number } {
  const decoded = decodeUtf8(bytes);
  let text = decoded ?? latin(bytes);
  let repair: number = decoded === undefined ? NameRepair.invalidUtf8 : NameRepair.none;
  if (hasControl(text)) {
    text = withoutControls(text);
    repair |= NameRepair.controlCharacter;
  }
  if (isRaw) return { text, repair };
  const parsed = parseJsonText(`"${text}"`);
  const value = typeof parsed?.value === "string" ? parsed.value : text;
  // An escaped control character is allowed in JSON, but no screen shows it.
  return { text: withoutControls(value), repair };
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 32) return true;
  return false;
}

/** A text with a mark in the place of each control character: no screen shows them, and a line feed would forge a line. */
export function withoutControls(text: string): string {
  if (!hasControl(text)) return text;
  let result = "";
  for (const letter of text) result += letter < " " ? "\ufffd" : letter;
  return result;
}

/** Bytes that are no UTF-8: ASCII stays, the rest is replaced. */
function latin(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(byte < 0x80 ? String.fromCharCode(byte) : "\ufffd");
  return parts.join("");
}
