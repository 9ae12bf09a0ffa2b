export { bundledAgent, findAgent, type FoundAgent } from "./stdio/find-agent.ts";
export { lookForAgent } from "./stdio/look-for-agent.ts";
export { classifyVersion, oldestVersion, testedVersions, versionToStart } from "./stdio/version.ts";
export { stopsTasks } from "./stdio/known-requests.ts";
export {
  agentEnvironment,
  CHECKPOINTS,
  inheritedVariables,
  RUN_MARKER,
  TODO_LIST,
} from "./stdio/environment.ts";
export { type AgentProcess } from "./stdio/agent-process.ts";
export { extendSearchPath } from "./stdio/search-path.ts";
export { startProcess } from "./stdio/stdio.ts";
export { adoptOrphans } from "./stdio/orphans.ts";
export { allProcesses, isZombie, markedProcesses, sendSignal } from "./stdio/process-tree.ts";
