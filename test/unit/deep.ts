/*
 * Fuzz tests and tests of large inputs cost minutes. Everyday runs take a part of the cases, `npm run test:deep` takes all: it
 * sets OFFLOAD_LENS_DEEP and runs the files whose name says that they grow with it.
 */

/** True in `npm run test:deep`. */
export const isDeep = process.env.OFFLOAD_LENS_DEEP === "1";

/** How many cases a test runs; the first ones are the same in both. */
export function cases(everyDay: number, deep: number): number {
  return isDeep ? deep : everyDay;
}
