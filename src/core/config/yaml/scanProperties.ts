import { type Cursor, end, isBlankOrEnd, isBreakOrEnd, isNameLetter, isSpaceOrEnd, nameOf } from "./cursor.js";
import type { Token } from "./tokens.js";

/*
 * Anchors, aliases, tags and directives, with the same refusals as PyYAML's scanner.
 */

/** `&name` or `*name`. */
export function scanAnchor(cursor: Cursor): Token {
  const start = cursor.at;
  const kind = cursor.peek() === "*" ? "alias" : "anchor";
  cursor.forward();
  const text = takeName(cursor);
  const next = cursor.peek();
  if (text === "" || !(isSpaceOrEnd(next) || "?:,]}%@`".includes(next))) {
    const sign = kind === "alias" ? "*" : "&";
    const message = `Behind ${sign} stands a name of letters, digits, _ and -, not ${nameOf(next)}. Quote the text if it is none`;
    throw cursor.refuse("BAD_ANCHOR", message);
  }
  return { kind, start, end: cursor.at, text };
}

/** `!`, `!name`, `!!name`, `!handle!name` or `!<name>`. */
export function scanTag(cursor: Cursor): Token {
  const start = cursor.at;
  const next = cursor.peek(1);
  let handle: string | undefined;
  let text = "!";
  if (next === "<") {
    cursor.forward(2);
    text = takeUri(cursor, start);
    if (cursor.peek() !== ">") throw cursor.refuse("BAD_TAG", "A tag in !<…> is never closed", start);
    cursor.forward();
  } else if (isSpaceOrEnd(next)) cursor.forward();
  else {
    if (hasHandle(cursor)) handle = takeHandle(cursor);
    else {
      handle = "!";
      cursor.forward();
    }
    text = takeUri(cursor, start);
  }
  if (!isBlankOrEnd(cursor.peek())) {
    const message = `Behind a tag stands a space, not ${nameOf(cursor.peek())}. Quote the text if ! was not meant as a tag`;
    throw cursor.refuse("BAD_TAG", message);
  }
  return { kind: "tag", start, end: cursor.at, text, ...(handle === undefined ? {} : { handle }) };
}

function hasHandle(cursor: Cursor): boolean {
  for (let length = 1; !isBlankOrEnd(cursor.peek(length)); length++) if (cursor.peek(length) === "!") return true;
  return false;
}

/** `%YAML 1.1`, `%TAG !e! prefix`, or a directive that nobody knows. */
export function scanDirective(cursor: Cursor): Token {
  const start = cursor.at;
  cursor.forward();
  const text = takeName(cursor);
  if (text === "" || !isBlankOrEnd(cursor.peek())) throw badDirective(cursor);
  let handle: string | undefined;
  if (text === "YAML") handle = takeVersion(cursor);
  else if (text === "TAG") handle = takeTagDirective(cursor, start);
  else while (!isBreakOrEnd(cursor.peek())) cursor.forward();
  const tokenEnd = cursor.at;
  cursor.skipBlanks();
  cursor.skipComment();
  if (!isBreakOrEnd(cursor.peek())) throw badDirective(cursor);
  cursor.takeBreak();
  return { kind: "directive", start, end: tokenEnd, text, ...(handle === undefined ? {} : { handle }) };
}

/** The major number; that is all that is asked about. */
function takeVersion(cursor: Cursor): string {
  cursor.skipBlanks();
  const major = takeDigits(cursor);
  if (cursor.peek() !== ".") throw badDirective(cursor);
  cursor.forward();
  takeDigits(cursor);
  if (!isBlankOrEnd(cursor.peek())) throw badDirective(cursor);
  return major;
}

function takeDigits(cursor: Cursor): string {
  let length = 0;
  while (/^[0-9]$/.test(cursor.peek(length))) length++;
  if (length === 0) throw badDirective(cursor);
  return cursor.take(length);
}

/** The handle, a space, and the prefix. */
function takeTagDirective(cursor: Cursor, start: number): string {
  cursor.skipBlanks();
  const handle = takeHandle(cursor);
  if (cursor.peek() !== " ") throw badDirective(cursor);
  cursor.skipBlanks();
  const prefix = takeUri(cursor, start);
  if (!isBlankOrEnd(cursor.peek())) throw badDirective(cursor);
  return `${handle} ${prefix}`;
}

function badDirective(cursor: Cursor): Error {
  const message =
    "A line that starts with % is a directive, and none is written like this. Quote the text if it is a value";
  return cursor.refuse("BAD_DIRECTIVE", message);
}

function takeName(cursor: Cursor): string {
  let length = 0;
  while (isNameLetter(cursor.peek(length))) length++;
  return cursor.take(length);
}

function takeHandle(cursor: Cursor): string {
  let length = 1;
  if (cursor.peek() === "!" && cursor.peek(1) !== " ") {
    while (isNameLetter(cursor.peek(length))) length++;
    if (cursor.peek(length) !== "!") length = 0;
    else length++;
  }
  if (cursor.peek() !== "!" || length === 0) {
    throw cursor.refuse("BAD_TAG", "The handle of a tag is !, !! or !name!");
  }
  return cursor.take(length);
}

function takeUri(cursor: Cursor, start: number): string {
  const from = cursor.at;
  while (/^[0-9A-Za-z\-;/?:@&=+$,_.!~*'()[\]%]$/.test(cursor.peek()) && cursor.peek() !== end) {
    if (cursor.peek() === "%" && !/^%[0-9A-Fa-f]{2}$/.test(cursor.text.slice(cursor.at, cursor.at + 3))) {
      throw cursor.refuse("BAD_TAG", "Behind % in a tag stand two hexadecimal digits");
    }
    cursor.forward(cursor.peek() === "%" ? 3 : 1);
  }
  if (cursor.at === from) {
    const message = `A tag goes on with its name, not with ${nameOf(cursor.peek())}. Quote the text if ! was not meant as a tag`;
    throw cursor.refuse("BAD_TAG", message, Math.max(start, from));
  }
  try {
    return decodeURIComponent(cursor.text.slice(from, cursor.at));
  } catch {
    throw cursor.refuse("BAD_TAG", "The escapes in this tag are no UTF-8", from);
  }
}
