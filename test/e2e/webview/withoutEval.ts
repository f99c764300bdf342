import { config } from "zod";

// The extension may compile code from text, the page may not: here both live in one. Imported before any schema is made.
config({ jitless: true });
