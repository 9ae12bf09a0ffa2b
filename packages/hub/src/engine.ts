import type {
  AllowedFoldersView,
  NewAllowedFolders,
  OutputTail,
  AgentSetting,
  AgentView,
  AskView,
  HubFrame,
  LineView,
  NewAnswer,
  NewPrompt,
  NewSession,
  ProjectView,
  QueuedPrompt,
  DeviceRole,
  ErrorCode,
  FolderContents,
  RunnerView,
  SessionChange,
  SessionSummary,
  FolderTrust,
  TrustDecision,
  TrustGrant,
  TrustRevocation,
} from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import type { SignedDecision } from "./devices/access-control.ts";
import type { Change } from "./store/store.ts";

export type { SessionSummary };

/** Who gives a command: a paired device with its role. */
export interface Actor {
  readonly device: string;
  readonly name: string;
  readonly role: DeviceRole;
}

/**
 * Changes, such as a command's receipt, that are stored together with what it does: both or neither, so
 * that after a crash the same command again is known. Made from what will be answered.
 */
export type StoredTogether<T> = (answer: T) => readonly Change[];

/** What the doors (HTTP, WebSocket) may ask of the rooms behind. */
export interface Engine {
  /** Asks in the store that the audit chain does not know: somebody else wrote them. */
  readonly unknownAsks: readonly string[];
  sessions(): SessionSummary[];
  session(id: string): SessionSummary;
  projects(): ProjectView[];
  runners(): RunnerView[];
  asks(): AskView[];
  agents(runner?: string): Promise<AgentView[]>;
  setAgents(agents: readonly AgentSetting[], by: Actor): Promise<void>;
  environments(): Promise<Record<string, Record<string, string>>>;
  setEnvironments(profiles: Record<string, Record<string, string>>, by: Actor): Promise<void>;

  create(
    id: string,
    options: NewSession,
    by: Actor,
    also?: StoredTogether<SessionSummary>,
  ): Promise<SessionSummary>;
  change(session: string, change: SessionChange, by: Actor): Promise<SessionSummary>;
  delete(session: string, by: Actor): Promise<void>;
  /** `id` is the prompt's, made by the client: the same again is the same prompt. */
  send(
    session: string,
    id: string,
    prompt: NewPrompt,
    by: Actor,
    also?: StoredTogether<QueuedPrompt>,
  ): Promise<QueuedPrompt>;
  /** Moves a waiting prompt to another place, or makes it go now. */
  movePrompt(
    session: string,
    id: string,
    to: { place?: number; now?: true },
  ): Promise<QueuedPrompt[]>;
  /** A waiting prompt, whole, with its images. */
  prompt(session: string, id: string): Promise<NewPrompt>;
  withdrawPrompt(session: string, id: string): Promise<void>;
  interrupt(session: string, by: Actor): Promise<void>;
  stop(session: string, by: Actor): Promise<SessionSummary>;
  park(session: string, by: Actor): Promise<SessionSummary>;
  wake(session: string, by: Actor): Promise<SessionSummary>;
  /** From the last good message, with the last prompt again. `fresh`: as a new conversation. */
  retry(session: string, by: Actor, options: { fresh?: boolean }): Promise<SessionSummary>;
  /** `at`: after this message; `before`: without this one of a person's and all that came after it. */
  fork(
    session: string,
    newId: string,
    point: { at?: string | undefined; before?: string | undefined },
    by: Actor,
  ): Promise<SessionSummary>;
  /** A control request to the agent, such as `set_model`; which are let through, the engine says. */
  request(session: string, subtype: string, fields: object, by: Actor): Promise<unknown>;
  /** `signed`: by whom, for the runner to check; what runs inside the hub needs none. */
  answer(
    ask: string,
    answer: NewAnswer,
    by: Actor,
    also?: StoredTogether<AskView>,
    signed?: SignedDecision,
  ): Promise<AskView>;

  /** The newest calls that changed a file, in their order. */
  changes(session: string, path: string, limit: number): Promise<Item[]>;
  items(session: string, before: number | undefined, limit: number): Promise<Item[]>;
  item(session: string, id: string): Promise<Item>;
  lines(
    session: string,
    range: { after?: number; before?: number; limit: number },
  ): Promise<LineView[]>;
  /** A driver is shown the allowed folders and what is below them. */
  listFolder(
    runner: string | undefined,
    path: string | undefined,
    by: Actor,
  ): Promise<FolderContents>;
  allowedFolders(): AllowedFoldersView[];
  setAllowedFolders(change: NewAllowedFolders, by: Actor): Promise<void>;
  findFiles(session: string, query: string): Promise<string[]>;
  /** The end of what a command in the background has printed so far. */
  taskOutput(session: string, item: string): Promise<OutputTail>;

  /** What was decided about folders that bring code of their own. */
  trustDecisions(): readonly TrustDecision[];
  /** What a folder would run, and whether it is trusted; without a runner, on the hub's machine. */
  folderTrust(runner: string | undefined, folder: string, by: Actor): Promise<FolderTrust>;
  sessionTrust(session: string): Promise<FolderTrust>;
  /** `signed`: by the device that decides; the runner checks it. */
  grantTrust(grant: TrustGrant, by: Actor, signed?: SignedDecision): Promise<FolderTrust>;
  revokeTrust(revocation: TrustRevocation, by: Actor): Promise<FolderTrust>;

  /** A live connection: frames out, and what it watches. */
  connect(actor: Actor, send: SendFrame, unsentBytes?: UnsentBytes): Subscriber;
}

/** Puts a frame on the wire. Text is handed over ready-made: many subscribers get the same. */
export type SendFrame = (text: string) => void;
/** How many bytes of what was handed over have not left this process. */
export type UnsentBytes = () => number;
export type Frame<T extends HubFrame["type"]> = Extract<HubFrame, { type: T }>;

export interface Subscriber {
  watchBoard(): void;
  leaveBoard(): void;
  watch(session: string, has?: { epoch: string; rev: number }): void;
  leave(session: string): void;
  /** So many UTF-16 units of what was sent have been applied. */
  acknowledge(received: number): void;
  /** What was handed over has left this process. */
  drained(): void;
  close(): void;
}

/** What the engine refuses, with the status and code that the doors give it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: ErrorCode, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** What a runner refuses, with its own code, which the contract need not know. */
export class RunnerRefusal extends Refusal {
  constructor(status: number, code: string, detail: string) {
    super(status, code as ErrorCode, detail);
  }
}

/** The hub's end of one runner's link, once the door has let it in. */
export interface RunnerGateway {
  /** A runner has connected. Gives back what to do with its frames and its end. */
  accept(
    device: { readonly id: string; readonly own: boolean },
    socket: { send(text: string): void; close(code: number, reason: string): void },
  ): { receive(text: string): void; closed(): void };
  /** Its credential was taken away: it is no runner of this hub any more. */
  removeRunner(runner: string): void;
}
