import type {
  FileDiff,
  ConversationBranches,
  SearchResults,
  SentBody,
  SentQuery,
  WorkingChanges,
  AgentAbilities,
  EmbeddingOrigins,
  ExportPreview,
  Environments,
  FolderContents,
  Housekeeping,
  HubView,
  ImportRequest,
  ImportSettings,
  ImportStatus,
  RouteAnswer,
  RouteKey,
  AllowedFoldersView,
  NewAllowedFolders,
  OutputTail,
  AgentSetting,
  AgentView,
  AskView,
  AuditPage,
  CutBody,
  DeviceRole,
  DeviceView,
  ElevationView,
  RequestedElevation,
  ItemsPage,
  LinesPage,
  NewAnswer,
  NewEnvironments,
  DraftSaved,
  DraftView,
  NewDraft,
  NewProjectOptions,
  NewPrompt,
  NewShell,
  NeighborView,
  NewSession,
  Pairing,
  ProjectOptions,
  ProjectView,
  QueuedPrompt,
  RelayState,
  RunnerView,
  SessionChange,
  SessionSwitch,
  SessionDefaults,
  SessionOptions,
  SessionOptionsChange,
  FolderTrust,
  TerminalView,
  TrustDecision,
  TrustGrant,
  TrustRevocation,
  CreatedToken,
} from "@signalbox/api";
import { decisionText, delegationText, elevationText, trustText } from "@signalbox/api/proof";
import type { Item } from "@signalbox/timeline";
import type { Session } from "../contract.ts";
import { type CallInput, locate, type SentInput } from "./call-input.ts";
import type { Caller, CallOptions } from "./caller.ts";
import { GitCalls } from "./git-calls.ts";

/** The hub's description of itself. Older hubs omit some fields. */
export type HubInfo = Omit<HubView, "databaseCheck" | "notAudited"> &
  Partial<Pick<HubView, "databaseCheck" | "notAudited">>;

/** Routes that answer with JSON or nothing. */
type JsonRouteKey = Exclude<RouteKey, "GET /api/blobs/:hash" | "GET /api/sessions/:session/export">;
type RouteCallOptions = CallOptions & {
  /** Do not retry: the caller has a back-off of its own. */
  readonly once?: boolean;
};

/** All calls of the hub over HTTP. A call that changes something is a command with an id. */
export class Calls {
  /** Changes of the files and the repository of a session's folder. */
  readonly git: GitCalls = new GitCalls(this);
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** All sessions, or those in a folder of a machine. */
  sessions(query: SentQuery<"GET /api/sessions"> = {}): Promise<Session[]> {
    return this.call("GET /api/sessions", { query });
  }
  /** How far Claude Code's own sessions are imported. */
  importStatus(): Promise<ImportStatus> {
    return this.call("GET /api/import");
  }
  setImport(settings: ImportSettings, call?: CallOptions): Promise<ImportStatus> {
    return this.call("PUT /api/import", { body: settings }, call);
  }
  /** Imports everything once at full speed. */
  importNow(request: ImportRequest = {}, call?: CallOptions): Promise<ImportStatus> {
    return this.call("POST /api/import", { body: request }, call);
  }
  session(id: string): Promise<Session> {
    return this.call("GET /api/sessions/:session", { params: { session: id } });
  }
  /** All options of a session; the values of secrets are null. */
  sessionOptions(id: string): Promise<SessionOptions> {
    return this.call("GET /api/sessions/:session/options", { params: { session: id } });
  }
  /** Changes what the agent is started with, from its next start on. Null removes an option. */
  changeSessionOptions(
    id: string,
    change: SessionOptionsChange,
    call?: CallOptions,
  ): Promise<Session> {
    return this.call(
      "PATCH /api/sessions/:session/options",
      { params: { session: id }, body: change },
      call,
    );
  }
  createSession(options: NewSession, call?: CallOptions): Promise<Session> {
    return this.call("POST /api/sessions", { body: options }, call);
  }
  changeSession(id: string, change: SessionChange, call?: CallOptions): Promise<Session> {
    return this.call(
      "PATCH /api/sessions/:session",
      { params: { session: id }, body: change },
      call,
    );
  }
  /** Deletes a session at once. `changeSession` with `trashed` moves it to the trash instead. */
  deleteSession(id: string, call?: CallOptions): Promise<void> {
    return this.call("DELETE /api/sessions/:session", { params: { session: id } }, call);
  }
  /** The sessions in the trash, the last one first. They are not among `sessions()`. */
  trash(): Promise<Session[]> {
    return this.call("GET /api/trash");
  }
  emptyTrash(call?: CallOptions): Promise<void> {
    return this.call("DELETE /api/trash", {}, call);
  }
  /** When idle sessions are archived. */
  housekeeping(): Promise<Housekeeping> {
    return this.call("GET /api/housekeeping");
  }
  setHousekeeping(settings: Housekeeping, call?: CallOptions): Promise<Housekeeping> {
    return this.call("PUT /api/housekeeping", { body: settings }, call);
  }

  /** The hub has stored an accepted message: it reaches the agent, even if the hub restarts. */
  send(session: string, prompt: NewPrompt, call?: CallOptions): Promise<QueuedPrompt> {
    return this.call(
      "POST /api/sessions/:session/prompts",
      { params: { session }, body: prompt },
      call,
    );
  }
  /** Moves a waiting message to another position, or sends it now. */
  movePrompt(
    session: string,
    prompt: string,
    to: { place?: number; now?: true },
    call?: CallOptions,
  ): Promise<QueuedPrompt[]> {
    return this.call(
      "PATCH /api/sessions/:session/prompts/:prompt",
      { params: { session, prompt }, body: to },
      call,
    );
  }
  /** The messages that are being written, on any device. */
  drafts(): Promise<DraftView[]> {
    return this.call("GET /api/drafts");
  }
  /** Saves a message that is being written, unless it was changed elsewhere since `base`. */
  saveDraft(draft: NewDraft): Promise<DraftSaved> {
    return this.call("PUT /api/drafts", { body: draft });
  }
  /** Reads a waiting message with its full text and images. */
  prompt(session: string, prompt: string): Promise<NewPrompt> {
    return this.call("GET /api/sessions/:session/prompts/:prompt", { params: { session, prompt } });
  }
  withdrawPrompt(session: string, prompt: string, call?: CallOptions): Promise<void> {
    return this.call(
      "DELETE /api/sessions/:session/prompts/:prompt",
      { params: { session, prompt } },
      call,
    );
  }

  interrupt(session: string, call?: CallOptions): Promise<void> {
    return this.call("POST /api/sessions/:session/interrupt", { params: { session } }, call);
  }
  stop(session: string, call?: CallOptions): Promise<Session> {
    return this.call("POST /api/sessions/:session/stop", { params: { session } }, call);
  }
  park(session: string, call?: CallOptions): Promise<Session> {
    return this.call("POST /api/sessions/:session/park", { params: { session } }, call);
  }
  /** Moves a session between chat and Claude Code's own terminal. */
  switchSession(session: string, how: SessionSwitch, call?: CallOptions): Promise<Session> {
    return this.call(
      "POST /api/sessions/:session/switch",
      { params: { session }, body: how },
      call,
    );
  }
  wake(session: string, call?: CallOptions): Promise<Session> {
    return this.call("POST /api/sessions/:session/wake", { params: { session } }, call);
  }
  /**
   * Restarts from the last good message, with the last prompt again. `fresh`: in a new
   * conversation.
   */
  retry(session: string, how: { fresh?: boolean } = {}, call?: CallOptions): Promise<Session> {
    return this.call("POST /api/sessions/:session/retry", { params: { session }, body: how }, call);
  }
  /**
   * Forks after a message (`at`), or before a person's message, without it and everything after it
   * (`before`).
   */
  fork(
    session: string,
    from: { at?: string; before?: string } = {},
    call?: CallOptions,
  ): Promise<Session> {
    return this.call("POST /api/sessions/:session/fork", { params: { session }, body: from }, call);
  }
  /** Sends a control request to the agent, such as `set_model`. */
  control<T = unknown>(
    session: string,
    subtype: string,
    fields: Record<string, unknown> = {},
    call?: CallOptions,
  ): Promise<T> {
    const body = { subtype, fields };
    const answer = this.call(
      "POST /api/sessions/:session/control",
      { params: { session }, body },
      call,
    );
    return answer as Promise<T>;
  }

  /**
   * Finds out who else listens on the hub's machine. The hub checks once, without leaving traces.
   */
  discover(): Promise<NeighborView[]> {
    return this.call("GET /api/discovery");
  }
  /** Connects to a foreign relay as a front end. */
  attachRelay(port: number, call?: CallOptions): Promise<void> {
    return this.call("POST /api/discovery/attach", { body: { port } }, call);
  }
  detachRelay(port: number, call?: CallOptions): Promise<void> {
    return this.call("POST /api/discovery/detach", { body: { port } }, call);
  }

  items(
    session: string,
    range: { before?: number; limit?: number } = {},
  ): Promise<ItemsPage<Item>> {
    return this.call("GET /api/sessions/:session/items", { params: { session }, query: range });
  }
  /** Lists the newest calls that changed a file, by its path in the session's summary. */
  changes(session: string, path: string, limit?: number): Promise<ItemsPage<Item>> {
    return this.call("GET /api/sessions/:session/changes", {
      params: { session },
      query: {
        path,
        ...(limit !== undefined && { limit }),
      },
    });
  }
  item(session: string, id: string): Promise<Item> {
    return this.call("GET /api/sessions/:session/items/:item", { params: { session, item: id } });
  }
  /** Reads the last part of the output of a background command. */
  taskOutput(session: string, item: string): Promise<OutputTail> {
    return this.call("GET /api/sessions/:session/items/:item/output", {
      params: { session, item },
    });
  }
  /** Reads the log as it was written, by position. */
  lines(
    session: string,
    range: { after?: number; before?: number; limit?: number } = {},
  ): Promise<LinesPage> {
    return this.call("GET /api/sessions/:session/lines", { params: { session }, query: range });
  }
  /** The slash commands, models and account of the newest run's agent. */
  abilities(session: string): Promise<AgentAbilities> {
    return this.call("GET /api/sessions/:session/abilities", { params: { session } });
  }
  /** Finds files in the session's folder whose path contains this text. */
  findFiles(session: string, query: string): Promise<string[]> {
    return this.call("GET /api/sessions/:session/files", { params: { session }, query: { query } });
  }
  /** Lists what has changed in the session's folder, as Git sees it. `against` names the comparison. */
  workingChanges(session: string, against = "head"): Promise<WorkingChanges> {
    const query = { against };
    return this.call("GET /api/sessions/:session/working-changes", { params: { session }, query });
  }
  /** Reads how one file has changed. */
  fileDiff(
    session: string,
    query: SentQuery<"GET /api/sessions/:session/working-changes/file">,
  ): Promise<FileDiff> {
    const params = { session };
    return this.call("GET /api/sessions/:session/working-changes/file", { params, query });
  }
  /**
   * Searches everything that was said, done and shown. `query` may have filters such as `path:`, `tool:`,
   * `before:3d`, `is:error` and `from:me`.
   */
  search(
    query: string,
    { session, limit = 50 }: { session?: string; limit?: number } = {},
    call?: CallOptions,
  ): Promise<SearchResults> {
    const sent = { q: query, limit, ...(session !== undefined && { session }) };
    return this.call("GET /api/search", { query: sent }, call);
  }
  /** The branches of a conversation, the newest first. */
  branches(session: string): Promise<ConversationBranches> {
    return this.call("GET /api/sessions/:session/branches", { params: { session } });
  }
  /** Continues after an earlier message, or in a branch that was left. */
  rewind(
    session: string,
    target: SentBody<"POST /api/sessions/:session/rewind">,
    call?: CallOptions,
  ): Promise<Session> {
    const route = "POST /api/sessions/:session/rewind";
    return this.call(route, { params: { session }, body: target }, call);
  }
  /** What an export would leave out. */
  previewExport(
    session: string,
    query: SentQuery<"GET /api/sessions/:session/export/preview">,
  ): Promise<ExportPreview> {
    return this.call("GET /api/sessions/:session/export/preview", { params: { session }, query });
  }
  /** A conversation as a file. */
  exportSession(
    session: string,
    query: SentQuery<"GET /api/sessions/:session/export">,
  ): Promise<Response> {
    const place = locate("GET /api/sessions/:session/export", { session });
    return this.#caller.response({ ...place, query });
  }
  /** Reads a text that was too large to be part of its item: all of it, or a range of bytes. */
  blob(hash: string, range?: { from: number; to?: number }): Promise<Response> {
    const headers = range && { range: `bytes=${range.from}-${range.to ?? ""}` };
    const place = locate("GET /api/blobs/:hash", { hash });
    return this.#caller.response({ ...place, ...(headers && { headers }) });
  }
  async body(cut: CutBody): Promise<string> {
    return (await this.blob(cut.$blob)).text();
  }

  asks(): Promise<AskView[]> {
    return this.call("GET /api/asks");
  }
  /** Reads an ask, whether it is open or not. */
  ask(id: string): Promise<AskView> {
    return this.call("GET /api/asks/:ask", { params: { ask: id } });
  }
  /**
   * Answers an ask. `answer.hash` is the hash of the ask as it was shown. If the input is another
   * one now, the answer is refused.
   */
  async answer(ask: string, answer: NewAnswer, call?: CallOptions): Promise<AskView> {
    const signature = await this.#caller.sign(decisionText(ask, answer.hash, answer.decision));
    const signed = { ...answer, ...(signature !== undefined && { signature }) };
    return this.call("POST /api/asks/:ask/answer", { params: { ask }, body: signed }, call);
  }

  /** Shells, and agents in their own terminal UI, of all sessions. */
  terminals(): Promise<TerminalView[]> {
    return this.call("GET /api/terminals");
  }
  /** Opens a shell in the session's folder. `watchTerminal` shows it. */
  openShell(session: string, options: NewShell = {}, call?: CallOptions): Promise<TerminalView> {
    return this.call(
      "POST /api/sessions/:session/shells",
      { params: { session }, body: options },
      call,
    );
  }
  renameTerminal(terminal: string, name: string, call?: CallOptions): Promise<void> {
    return this.call(
      "PATCH /api/terminals/:terminal",
      { params: { terminal }, body: { name } },
      call,
    );
  }
  /** Ends the shell, if it still runs, and closes its terminal. */
  closeTerminal(terminal: string, call?: CallOptions): Promise<void> {
    return this.call("DELETE /api/terminals/:terminal", { params: { terminal } }, call);
  }

  /** Lists the decisions about folders that bring code of their own. */
  trustDecisions(): Promise<TrustDecision[]> {
    return this.call("GET /api/trust");
  }
  /**
   * Describes what a folder would run, and whether it is trusted. Without a runner, the folder is
   * on the hub's machine.
   */
  folderTrust(where: { folder: string; runner?: string }): Promise<FolderTrust> {
    return this.call("GET /api/trust/folder", { query: where });
  }
  sessionTrust(session: string): Promise<FolderTrust> {
    return this.call("GET /api/sessions/:session/trust", { params: { session } });
  }
  /**
   * Trusts a folder. `grant.hash` is the hash of what was shown. If the folder has changed since,
   * the decision is refused.
   */
  async grantTrust(grant: TrustGrant, call?: CallOptions): Promise<FolderTrust> {
    const signature = await this.#caller.sign(trustText(grant));
    const signed = { ...grant, ...(signature !== undefined && { signature }) };
    return this.call("POST /api/trust/grant", { body: signed }, call);
  }
  revokeTrust(revocation: TrustRevocation, call?: CallOptions): Promise<FolderTrust> {
    return this.call("POST /api/trust/revoke", { body: revocation }, call);
  }

  devices(): Promise<DeviceView[]> {
    return this.call("GET /api/devices");
  }
  revokeDevice(id: string, call?: CallOptions): Promise<void> {
    return this.call("DELETE /api/devices/:device", { params: { device: id } }, call);
  }
  createPairing(role: DeviceRole | "runner", call?: CallOptions): Promise<Pairing> {
    return this.call("POST /api/pairings", { body: { role } }, call);
  }
  /** Creates a session for an agent that dials in, or a new secret for an existing one. */
  inviteAgent(
    wanted: { session?: string; title?: string; folder?: string } = {},
    call?: CallOptions,
  ): Promise<{ session: string; secret: string; url: string }> {
    return this.call("POST /api/relay/agents", { body: wanted }, call);
  }
  /**
   * Requests a ticket for the stream. The call is not retried, because the caller has a schedule of
   * its own.
   */
  async ticket(): Promise<string> {
    return (await this.call("POST /api/tickets", {}, { once: true })).ticket;
  }

  /**
   * Creates a ticket with which a program that speaks the official SDK's protocol opens one session
   * and, as this device's delegate, may answer its asks until `expiresAt`.
   */
  async sdkTicket(session: string, expiresAt: number): Promise<string> {
    const publicKey = await this.#caller.delegate();
    const text = delegationText({ publicKey: publicKey ?? "", session, expiresAt });
    const signature = await this.#caller.sign(text);
    const delegation = signature === undefined ? undefined : { session, expiresAt, signature };
    const body = { delegation };
    return (await this.call("POST /api/tickets", { body }, { once: true })).ticket;
  }
  /** Creates a bearer token for a program that cannot sign. It is shown once. */
  createToken(
    token: { name: string; role: "viewer" | "driver"; days?: number },
    call?: CallOptions,
  ): Promise<CreatedToken> {
    return this.call("POST /api/tokens", { body: token }, call);
  }

  /**
   * Requests the rights of an approver or an admin for a terminal with its own key pair, for as long as
   * it runs. A device with that role confirms it.
   */
  requestElevation(
    terminal: { name: string; publicKey: string; role?: ElevationView["role"] },
    call?: CallOptions,
  ): Promise<RequestedElevation> {
    return this.call("POST /api/elevations", { body: terminal }, call);
  }
  elevation(id: string): Promise<ElevationView> {
    return this.call("GET /api/elevations/:elevation", { params: { elevation: id } });
  }
  elevations(): Promise<ElevationView[]> {
    return this.call("GET /api/elevations");
  }
  async decideElevation(
    { id, publicKey }: Pick<ElevationView, "id" | "publicKey">,
    confirm: boolean,
    call?: CallOptions,
  ): Promise<ElevationView> {
    const signature = confirm ? await this.#caller.sign(elevationText(id, publicKey)) : undefined;
    const body = { confirm, ...(signature !== undefined && { signature }) };
    return this.call(
      "POST /api/elevations/:elevation/decide",
      { params: { elevation: id }, body },
      call,
    );
  }

  /** Describes the hub itself, and the caller's role. */
  hub(): Promise<HubInfo> {
    return this.call("GET /api/hub");
  }
  /** Lists problems in the hub's database. The check takes longer the larger the database is. */
  async integrity(): Promise<string[]> {
    return (await this.call("GET /api/integrity")).problems;
  }
  /**
   * Reads the audit log. `heads` are heads that were seen before, which must still be in the chain
   * when it is verified.
   */
  audit(
    page: { before?: number; limit?: number; verify?: boolean; heads?: readonly string[] } = {},
  ): Promise<AuditPage> {
    const { verify, heads = [], ...range } = page;
    const check = verify && {
      verify: "1" as const,
      ...(heads.length > 0 && { heads: heads.join(",") }),
    };
    return this.call("GET /api/audit", { query: { ...range, ...check } });
  }

  agents(runner?: string): Promise<AgentView[]> {
    return this.call("GET /api/agents", { query: { runner } });
  }
  setAgents(agents: readonly AgentSetting[], call?: CallOptions): Promise<void> {
    return this.call("PUT /api/agents", { body: [...agents] }, call);
  }
  /** Looks for an agent's program without saving the agent. */
  testAgent(agent: AgentSetting, runner?: string, call?: CallOptions): Promise<AgentView> {
    return this.call("POST /api/agents/test", { body: agent, query: { runner } }, call);
  }
  /** Lists the environment profiles. Values of secrets are null. */
  environments(): Promise<Environments> {
    return this.call("GET /api/environments");
  }
  environmentNames(): Promise<string[]> {
    return this.call("GET /api/environments/names");
  }
  setEnvironments(profiles: NewEnvironments, call?: CallOptions): Promise<void> {
    return this.call("PUT /api/environments", { body: profiles }, call);
  }
  sessionDefaults(): Promise<SessionDefaults> {
    return this.call("GET /api/session-defaults");
  }
  setSessionDefaults(defaults: SessionDefaults, call?: CallOptions): Promise<void> {
    return this.call("PUT /api/session-defaults", { body: defaults }, call);
  }
  /** Lists the options that new sessions of a folder have by default. */
  projectOptions(): Promise<ProjectOptions[]> {
    return this.call("GET /api/project-options");
  }
  setProjectOptions(change: NewProjectOptions, call?: CallOptions): Promise<void> {
    return this.call("PUT /api/project-options", { body: change }, call);
  }
  /** Lists the folders on each machine below which drivers may start sessions. */
  allowedFolders(): Promise<AllowedFoldersView[]> {
    return this.call("GET /api/allowed-folders");
  }
  setAllowedFolders(change: NewAllowedFolders, call?: CallOptions): Promise<void> {
    return this.call("PUT /api/allowed-folders", { body: change }, call);
  }
  /** Lists the origins of other programs' pages that may use the hub. */
  embeddingOrigins(): Promise<EmbeddingOrigins> {
    return this.call("GET /api/embedding-origins");
  }
  setEmbeddingOrigins(origins: readonly string[], call?: CallOptions): Promise<void> {
    return this.call("PUT /api/embedding-origins", { body: { origins: [...origins] } }, call);
  }
  /** Whether the relay is set to be on, and whether it runs. */
  relay(): Promise<RelayState> {
    return this.call("GET /api/relay");
  }
  /** Turns the relay on or off, from the hub's next start on. */
  setRelay(on: boolean, call?: CallOptions): Promise<void> {
    return this.call("PUT /api/relay", { body: { on } }, call);
  }
  projects(): Promise<ProjectView[]> {
    return this.call("GET /api/projects");
  }
  runners(): Promise<RunnerView[]> {
    return this.call("GET /api/runners");
  }
  /**
   * Lists the folders in a folder; without a path, in the home folder of the user who runs agents
   * there.
   */
  folders(where: { path?: string; runner?: string } = {}): Promise<FolderContents> {
    return this.call("GET /api/folders", { query: where });
  }
  /** Finds files below a folder of a machine whose path contains this text. */
  findFolderFiles(where: { path: string; query: string; runner?: string }): Promise<string[]> {
    return this.call("GET /api/folders/files", { query: where });
  }

  /**
   * Calls any route of the contract by its method and path. The types of input and answer come from
   * the contract.
   */
  call<Key extends JsonRouteKey>(
    ...[key, input, options]: Partial<CallInput<Key>> extends CallInput<Key>
      ? [key: Key, input?: CallInput<Key>, options?: RouteCallOptions]
      : [key: Key, input: CallInput<Key>, options?: RouteCallOptions]
  ): Promise<RouteAnswer<Key>> {
    const { params, query, body } = (input ?? {}) as SentInput;
    const { method, path } = locate(key, params);
    if (method === "GET") {
      return this.#caller.json({ method, path, ...(query && { query }), ...options });
    }
    const { once, command = once ? undefined : crypto.randomUUID(), ...rest } = options ?? {};
    const sent = body ?? (method === "POST" ? {} : undefined);
    return this.#caller.json({
      method,
      path,
      body: sent,
      ...(command !== undefined && { command }),
      ...(once && { once }),
      ...rest,
    });
  }
}
