/* The page of "What If…". */
export {};
