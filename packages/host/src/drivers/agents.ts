export { bundledAgent, findAgent, type FoundAgent } from "./stdio/find-agent.ts";
export { lookForAgent } from "./stdio/look-for-agent.ts";
export { classOf, oldestVersion, testedVersions, versionToStart } from "./stdio/version.ts";
export { stopsTasks } from "./stdio/known-requests.ts";
export {
  agentEnvironment,
  CHECKPOINTS,
  passedOn,
  RUN_MARKER,
  TODO_LIST,
} from "./stdio/environment.ts";
export { type AgentProcess } from "./stdio/agent-process.ts";
export { begin } from "./stdio/stdio.ts";
export { adoptOrphans } from "./stdio/adopted.ts";
export { allProcesses, isZombie, markedProcesses, send } from "./stdio/family.ts";
