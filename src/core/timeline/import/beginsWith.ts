/** Whether a file begins with the bytes of an ASCII text. */
export function beginsWith(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((letter, at) => bytes[at] === letter.charCodeAt(0));
}
