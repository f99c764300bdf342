/** Compares tagged values; `["?"]` is equal to anything. */
export function sameValue(left, right) {
  if (left === null || right === null || typeof left === "boolean" || typeof right === "boolean") {
    return left === right || isUnknown(left) || isUnknown(right);
  }
  if (isUnknown(left) || isUnknown(right)) return true;
  if (left[0] !== right[0]) return false;
  if (left[0] === "l")
    return left[1].length === right[1].length && left[1].every((item, at) => sameValue(item, right[1][at]));
  if (left[0] !== "m") return left[1] === right[1];
  const keys = Object.keys(left[1]);
  return (
    keys.length === Object.keys(right[1]).length &&
    keys.every((key) => key in right[1] && sameValue(left[1][key], right[1][key]))
  );
}

/** The values of a tagged value that are no mappings, with their last key, as texts. */
export function leavesOf(value, key = "") {
  if (value === null || typeof value === "boolean" || value[0] !== "m") return [`${key}: ${JSON.stringify(value)}`];
  return Object.entries(value[1]).flatMap(([name, member]) => leavesOf(member, name));
}

function isUnknown(value) {
  return Array.isArray(value) && value[0] === "?";
}
