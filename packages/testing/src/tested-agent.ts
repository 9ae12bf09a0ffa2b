import { bundledAgent } from "@signalbox/host/agents";

/** Claude Code, or whatever is to stand in its place: `npm run test:agent` names `signalbox-agent`. */
export const testedAgent = process.env["SIGNALBOX_TEST_AGENT"] ?? bundledAgent() ?? "";
