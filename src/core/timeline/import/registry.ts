import { chromeTrace } from "./chrome/format.js";
import { offloadProfile } from "./offloadProfile/format.js";
import { offloadTraces } from "./offloadTraces/format.js";
import type { TraceFormat } from "./traceFormat.js";

/**
 * Every format that is read, in the order in which files are held against them. One line here, one folder beside this file and
 * one fixture, `test/fixtures/formats/<id>.*`, make a format; a new ending stands in package.json, too, and a test says where.
 */
export const FORMATS: readonly TraceFormat[] = [offloadProfile, offloadTraces, chromeTrace];
