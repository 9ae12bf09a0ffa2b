/** The hub's contract: its routes, and the type of everything that they take and answer. */
export {
  routes,
  type RouteKey,
  type OpenKey,
  type RouteParams,
  type SentQuery,
  type SentBody,
  type RouteAnswer,
} from "./routes/index.ts";
export { describeApi } from "./openapi.ts";
export { listErrors, isErrorCode, type ErrorCode } from "./routes/errors.ts";
export {
  isRoleAtLeast,
  type DeviceRole,
  type DeviceView,
  type Pairing,
  type PairRole,
  type HubIdentity,
  type PairedDevice,
  type CreatedToken,
  type ElevationView,
  type RequestedElevation,
  type AuditEntry,
  type AgentSetting,
  type AgentView,
  type RunnerView,
  type AllowedFoldersView,
  type NewAllowedFolders,
  type NeighborView,
} from "./schemas/device.ts";
export type { PlanMode, HubDecision, AgentDecision, NewAnswer, AskView } from "./schemas/ask.ts";
export type {
  Problem,
  CutBody,
  OutputTail,
  LineView,
  ItemsPage,
  LinesPage,
  AgentCommand,
  AgentModel,
  AgentAccount,
  AgentAbilities,
  AuditPage,
  FolderContents,
  HubView,
  Environments,
  NewEnvironments,
  SessionDefaults,
} from "./schemas/http.ts";
export type { HubDescriptor, IdentityProof } from "./schemas/identity.ts";
export type { LaunchOptions } from "./schemas/launch.ts";
export type {
  SessionColor,
  NewPrompt,
  PromptContext,
  NewSession,
  SessionChange,
  SessionSwitch,
  QueuedPrompt,
  SessionState,
  IsolationState,
  SessionTrust,
  SessionTranscript,
  RunTrust,
  RunFacts,
  RunEndView,
  SessionSummary,
  ProjectView,
} from "./schemas/session.ts";
export type {
  PolicyName,
  McpServerConfig,
  McpServerOption,
  SystemPrompt,
  SessionOptions,
} from "./schemas/session-options.ts";
export type { ClientFrame, SessionPatch, HubFrame } from "./schemas/stream.ts";
export type { TerminalView, NewShell, TerminalChange } from "./schemas/terminal.ts";
export type {
  FolderFinding,
  TrustState,
  FolderTrust,
  TrustDecision,
  TrustGrant,
  TrustRevocation,
} from "./schemas/trust.ts";
export type { IsolationProfile, Effort } from "./constants.ts";
export type { DraftSaved, DraftView, NewDraft, ReceivedDraft } from "./schemas/draft.ts";
export type { Comparison } from "./schemas/changes.ts";
export type { FileDiff } from "./schemas/changes.ts";
export type { WorkingChanges } from "./schemas/changes.ts";
export type { ChangedFile } from "./schemas/changes.ts";
export type { StagedChange, RevertedChange, UndoHandle } from "./schemas/git-actions.ts";
export type {
  ContentMatch,
  ContentMatches,
  FileContent,
  FolderEntry,
  FolderListing,
} from "./schemas/files.ts";
export type {
  MergedWorktree,
  WorktreeMerge,
  WorktreeRemoval,
  WorktreeView,
} from "./schemas/worktree.ts";
export type {
  NewPullRequest,
  NewPush,
  PullRequest,
  PullRequestPlace,
  PushResult,
  RemoteState,
  RemoteView,
  ReviewComment,
} from "./schemas/pull-request.ts";
export type {
  AppliedStash,
  BranchSwitch,
  BranchView,
  CommitHook,
  CommitHooks,
  CreatedCommit,
  NewCommit,
  NewStash,
  RepositoryState,
  StashHandle,
  StashView,
} from "./schemas/repository.ts";
export type {
  ImportMachine,
  ImportRequest,
  ImportSettings,
  ImportStatus,
} from "./schemas/import.ts";
export type { ExportFinding, ExportFormat, ExportPreview } from "./schemas/export.ts";
export type { ConversationBranch, ConversationBranches } from "./schemas/branches.ts";
export type { Housekeeping } from "./schemas/housekeeping.ts";
export type { NewProjectOptions } from "./schemas/session-options.ts";
export type { SessionOptionsChange } from "./schemas/session-options.ts";
export type { ProjectOptions } from "./schemas/session-options.ts";
export type { SearchHitView, SearchResults } from "./schemas/search.ts";
export type { EmbeddingOrigins } from "./schemas/device.ts";
export type { RelayState } from "./schemas/device.ts";
