import "./withoutEval.js";

import type { SweepHostMessage, SweepPageMessage } from "../../../src/core/sweep/sweepProtocol.js";
import { applyTheme, type ThemeName } from "./themes.js";

/* Stands in for VS Code inside the page of "What If…": theme variables, and what the page asks for. */

declare global {
  interface Window {
    sweepHarness: {
      send(message: SweepHostMessage): void;
      setTheme(theme: ThemeName): void;
      readonly asked: SweepPageMessage[];
      readonly violations: string[];
    };
  }
}

const asked: SweepPageMessage[] = [];
const violations: string[] = [];

Object.assign(window, {
  acquireVsCodeApi: () => ({ postMessage: (message: SweepPageMessage) => asked.push(structuredClone(message)) }),
});

window.sweepHarness = {
  send: (message) => window.postMessage(structuredClone(message), "*"),
  asked,
  violations,
  setTheme: applyTheme,
};
window.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
