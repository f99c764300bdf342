import "./withoutEval.js";

import { AnsweringEnd } from "../../../src/core/channel.js";
import type { SweepHostMessage, SweepLine, SweepPageMessage } from "../../../src/core/sweep/sweepProtocol.js";
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

let hear: (message: unknown) => void = () => undefined;
const line = new AnsweringEnd<SweepLine>(
  {
    post: (message) => window.postMessage(structuredClone(message), "*"),
    listen: (listener) => {
      hear = listener;
    },
  },
  { onTold: (message) => asked.push(message) },
);

Object.assign(window, {
  acquireVsCodeApi: () => ({ postMessage: (message: unknown) => hear(structuredClone(message)) }),
});

window.sweepHarness = {
  send: (message) => line.announce(message),
  asked,
  violations,
  setTheme: applyTheme,
};
window.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
