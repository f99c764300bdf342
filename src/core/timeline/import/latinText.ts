/** Bytes as characters, one each: what tells kinds of files apart is ASCII. */
export function latinText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}
