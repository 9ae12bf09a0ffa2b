import { test } from "bun:test";
import { type AgentVersion, agents } from "./agent-stage.ts";

/** `npm run test:versions` plays everything with every version. */
const isWhole = process.env["SIGNALBOX_TEST_VERSIONS"] === "all";

export const everyVersion = Object.keys(agents) as AgentVersion[];

/** For what is played with the newest version alone in `npm test`: the old one takes long to start. */
export const shortVersions: readonly AgentVersion[] = isWhole ? everyVersion : ["2.1.325"];

/** The `test` of what `npm test` leaves out with the old version; it is listed as skipped. */
export function furtherTest(version: AgentVersion) {
  return test.if(shortVersions.includes(version));
}
