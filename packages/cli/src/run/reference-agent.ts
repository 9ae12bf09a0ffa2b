import { fileURLToPath } from "node:url";
import type { AgentSetting } from "@signalbox/api";

/** The reference agent, which a hub offers in addition to Claude Code. */
export const referenceAgent: AgentSetting = {
  name: "signalbox-agent",
  path: fileURLToPath(import.meta.resolve("@signalbox/reference-agent/program")),
  driver: "stdio",
  models: [],
  flags: [],
};
