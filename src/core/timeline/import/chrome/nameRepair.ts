/** What had to be done to a name to keep it, as bits: several can be needed. */
export const NameRepair = { none: 0, cut: 1, invalidUtf8: 2, controlCharacter: 4, notKept: 8 } as const;
