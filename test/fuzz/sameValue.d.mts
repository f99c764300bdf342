import type { Tagged } from "./taggedValue.js";

export function sameValue(left: Tagged, right: Tagged): boolean;
export function leavesOf(value: Tagged, key?: string): readonly string[];
