import { fileURLToPath } from "node:url";
import type { AgentSetting } from "@signalbox/api";

/** Our own agent, as a hub offers it beside Claude Code. */
export const referenceAgent: AgentSetting = {
  name: "signalbox-agent",
  path: fileURLToPath(import.meta.resolve("@signalbox/reference-agent/program")),
  driver: "stdio",
  models: [],
  flags: [],
};
