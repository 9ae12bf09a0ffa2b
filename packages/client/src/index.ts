/** What a program needs to use a hub. */
export { connect, type ConnectOptions, HubClient } from "./client.ts";
export { isCutBody, type Session } from "./contract.ts";
export type { CallOptions, Credential, Credentials, Fetch } from "./http/caller.ts";
export { Calls, type HubInfo } from "./http/calls.ts";
export {
  type DeviceCredential,
  generateDeviceKey,
  importDeviceKey,
  signText,
} from "./http/device-key.ts";
export { HubError } from "./http/hub-error.ts";
export { verifyHubIdentity } from "./http/identity.ts";
export { pairDevice, readPairingRole } from "./http/pair.ts";
export { type OldCredential, upgradeDevice } from "./http/upgrade.ts";
export type { WebSocketConstructor } from "./live/hub-socket.ts";
export type { ChangesListener, SessionWatch } from "./live/live-connection.ts";
export { type ConnectionState, type ConnectionTiming, defaultTiming } from "./live/state.ts";
export type { Watch } from "./live/watch.ts";
export type { TerminalViewer, TerminalWatch } from "./live/watched-terminal.ts";
export { Outbox } from "./outbox/outbox.ts";
export { createMemoryStorage, type OutboxStorage, type UnsentMessage } from "./outbox/storage.ts";
export { formatPullRequestPrompt } from "./turns/pull-request-prompt.ts";
export { runLoop, type LoopEnd, type LoopOptions, type LoopTurn } from "./turns/loop.ts";
export {
  type TurnWaitOptions,
  waitForTurnEnd,
  type TurnProgress,
  readTurnProgress,
} from "./turns/turn.ts";
export { scheduleNextFrame, type FrameScheduler } from "./view/change-notifier.ts";
export { BoardView } from "./view/board-view.ts";
export { type BoardCopy, copyBoard, copySession, type SessionCopy } from "./view/copies.ts";
export { isBusy, type Lamp, type LampKind, sessionLamp, unknownLamp } from "./view/session-lamp.ts";
export { type ApplyResult, SessionView } from "./view/session-view.ts";
export type {
  HubDecision,
  AskView,
  DeviceView,
  AuditEntry,
  NeighborView,
  CutBody,
  LineView,
  AuditPage,
  NewPrompt,
  NewSession,
  FolderContents,
  Environments,
  AgentAbilities,
  HubView,
  AllowedFoldersView,
  NewAllowedFolders,
  OutputTail,
  AgentSetting,
  AgentView,
  DeviceRole,
  SearchHitView,
  SearchResults,
  ElevationView,
  RequestedElevation,
  ItemsPage,
  LinesPage,
  NewAnswer,
  NewEnvironments,
  NewShell,
  Pairing,
  ProjectView,
  QueuedPrompt,
  RunnerView,
  SessionChange,
  SessionSwitch,
  SessionDefaults,
  SessionOptions,
  FolderTrust,
  TerminalView,
  TrustDecision,
  TrustGrant,
  TrustRevocation,
  CreatedToken,
} from "@signalbox/api";
export type { Item, ItemOfKind, Summary } from "@signalbox/timeline";
