export {
  type AgentFacts,
  type Capabilities,
  type Driver,
  driverNames,
  type LeftOut,
  type Run,
} from "./drivers/driver.ts";
export type { Launch, McpServerConfig } from "./drivers/launch.ts";
export { Dial, type DialEnd, type DialNews, type DialOptions } from "./dial/dial.ts";
export { keepAsText } from "./dial/kept-lines.ts";
export { deliverLeftBehind } from "./dial/left-behind.ts";
export { type DialledAgent, startDialledAgent } from "./dial/dialled-agent.ts";
export { endOf, launchFailed, type RunEnd, runEnd } from "./drivers/run-end.ts";
export { Isolation, type IsolationOptions } from "./isolation/isolation.ts";
export { findBubblewrap, INSTALL_BUBBLEWRAP } from "./isolation/find-bubblewrap.ts";
export { type IsolationState } from "./isolation/state.ts";
export { adoptOrphans } from "./drivers/stdio/adopted.ts";
export { passedOn } from "./drivers/stdio/environment.ts";
export { bundledAgent } from "./drivers/stdio/find-agent.ts";
export { lookForAgent } from "./drivers/stdio/look-for-agent.ts";
export { sdkDriver } from "./drivers/sdk/sdk.ts";
export { sdkUrlDriver } from "./drivers/sdk-url/sdk-url.ts";
export { stdioDriver, type StdioOptions } from "./drivers/stdio/stdio.ts";
export { stopsTasks } from "./drivers/stdio/known-requests.ts";
export { classOf, oldestVersion, testedVersions } from "./drivers/stdio/version.ts";
export {
  type Ask,
  type Decision,
  needsPerson,
  type Question,
  type Suggestion,
} from "./host/ask.ts";
export { askHash, askId } from "./host/ask-identity.ts";
export { decisionFor, suggestionAt, WrongDecision } from "./host/person-decision.ts";
export type { CallCheckOptions, CallMark } from "./host/call-check.ts";
export { type Hook, type HookInput, type HookOutput } from "./host/hooks.ts";
export { Host } from "./host/host.ts";
export type { Decide, HostOptions } from "./host/options.ts";
export { type InProcessMcpServer } from "./host/in-process-mcp.ts";
export { AnsweredElsewhere } from "./host/answered-elsewhere.ts";
export { policies, type Policy } from "./host/policy.ts";
export {
  type DeviceSigningKey,
  deviceSigningKey,
  isSigned,
  newSigningKey,
  readDeviceSigningKey,
  readSigningKey,
  type SigningKey,
} from "./link/keys.ts";
export { linkAuthorization } from "./link/connection.ts";
export { findOwnHub, type ProvenHub } from "./link/own-hub.ts";
export {
  type KeptRunner,
  keptRunner,
  type KeptRunnerToken,
  keptRunnerToken,
} from "./link/kept-runner.ts";
export { ownRunnerOrder } from "./link/own-order.ts";
export { Ledger, type RunLog } from "./link/ledger.ts";
export { type Recovered, recoveredLines } from "./link/recover.ts";
export { type Limits } from "./link/unacknowledged.ts";
export {
  forgetFirst,
  printOf,
  PlainLines,
  type PlainWire,
  PROMPT,
  type Remembered,
} from "./drivers/sdk-url/plain-lines.ts";
export { badPackage, packageSpec } from "./supervise/agent-package.ts";
export type { ScannedFolder } from "./supervise/folder-orders.ts";
export { isolateGit } from "./git.ts";
export { TrustStore } from "./trust/trust-store.ts";
export { Supervisor } from "./supervise/supervisor.ts";
export { FOLDER_NOT_ALLOWED, isAllowed, notAllowedSentence } from "./supervise/allowed-folders.ts";
export { type FolderContents } from "./supervise/folders.ts";
export { type Runner, type RunnerOptions, startRunner, stopOnSignals } from "./runner.ts";
export {
  type Finding,
  type FindingKind,
  type FolderScan,
  untrustedFindings,
} from "./trust/finding.ts";
export { restrictLaunch } from "./trust/restrict-launch.ts";
export { RunTrust, type RunTrustFacts } from "./trust/run-trust.ts";
export { scanFolder, type ScanOptions } from "./trust/scan-folder.ts";
export { imageProblem, imageType } from "./host/image.ts";
export type { Image, Prompt } from "./host/prompt.ts";
export { READABLE } from "./host/read-line.ts";
