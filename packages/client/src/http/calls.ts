import type {
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
  ItemsPage,
  LinesPage,
  NewAnswer,
  NewPrompt,
  NeighbourView,
  NewSession,
  Pairing,
  ProjectView,
  QueuedPrompt,
  RunnerView,
  SessionChange,
  FolderTrust,
  TrustDecision,
  TrustGrant,
  TrustRevocation,
  TokenMade,
} from "@signalbox/api";
import { decisionText, delegationText, elevationText, trustText } from "@signalbox/api/proof";
import type { Item } from "@signalbox/timeline";
import type { Session } from "../contract.ts";
import type { Caller, CallOptions } from "./caller.ts";

export interface FolderView {
  readonly path: string;
  readonly parent: string | null;
  readonly folders: readonly { readonly name: string; readonly repository: boolean }[];
}
export interface HubInfo {
  readonly hub: string;
  readonly version: string;
  readonly epoch: string;
  readonly auditHead: string;
  /** Why it cannot store, in words for a person. */
  readonly trouble: string | null;
  /** When the structure of the database was last checked, and what was found; a hub of before says nothing. */
  readonly databaseCheck?: { readonly at: number; readonly problems: readonly string[] } | null;
  /** What somebody else wrote into the hub's database. It counts for nothing; older hubs do not tell. */
  readonly notAudited?: readonly string[];
  readonly device: DeviceView;
}
export type Environments = Record<string, Record<string, string>>;

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Everything that can be asked of the hub over HTTP. What changes something is a command with an id. */
export class Calls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  sessions(): Promise<Session[]> {
    return this.#get("/api/sessions");
  }
  session(id: string): Promise<Session> {
    return this.#get(at`/api/sessions/${id}`);
  }
  createSession(options: NewSession, call?: CallOptions): Promise<Session> {
    return this.#command("POST", "/api/sessions", options, call);
  }
  changeSession(id: string, change: SessionChange, call?: CallOptions): Promise<Session> {
    return this.#command("PATCH", at`/api/sessions/${id}`, change, call);
  }
  deleteSession(id: string, call?: CallOptions): Promise<void> {
    return this.#command("DELETE", at`/api/sessions/${id}`, undefined, call);
  }

  /** Accepted is stored: it reaches the agent, also over a restart of the hub. */
  send(session: string, prompt: NewPrompt, call?: CallOptions): Promise<QueuedPrompt> {
    return this.#command("POST", at`/api/sessions/${session}/prompts`, prompt, call);
  }
  /** Moves a waiting message to another place, or makes it go now. */
  movePrompt(
    session: string,
    prompt: string,
    to: { place?: number; now?: true },
    call?: CallOptions,
  ): Promise<QueuedPrompt[]> {
    return this.#command("PATCH", at`/api/sessions/${session}/prompts/${prompt}`, to, call);
  }
  /** A message that waits, whole, with its images. */
  prompt(session: string, prompt: string): Promise<NewPrompt> {
    return this.#get(at`/api/sessions/${session}/prompts/${prompt}`);
  }
  withdrawPrompt(session: string, prompt: string, call?: CallOptions): Promise<void> {
    return this.#command("DELETE", at`/api/sessions/${session}/prompts/${prompt}`, undefined, call);
  }

  interrupt(session: string, call?: CallOptions): Promise<void> {
    return this.#command("POST", at`/api/sessions/${session}/interrupt`, {}, call);
  }
  stop(session: string, call?: CallOptions): Promise<Session> {
    return this.#command("POST", at`/api/sessions/${session}/stop`, {}, call);
  }
  park(session: string, call?: CallOptions): Promise<Session> {
    return this.#command("POST", at`/api/sessions/${session}/park`, {}, call);
  }
  wake(session: string, call?: CallOptions): Promise<Session> {
    return this.#command("POST", at`/api/sessions/${session}/wake`, {}, call);
  }
  /** From the last good message, with the last prompt again. `fresh`: as a new conversation. */
  retry(session: string, how: { fresh?: boolean } = {}, call?: CallOptions): Promise<Session> {
    return this.#command("POST", at`/api/sessions/${session}/retry`, how, call);
  }
  /** After a message (`at`), or without one of a person's and what came after it (`before`). */
  fork(
    session: string,
    from: { at?: string; before?: string } = {},
    call?: CallOptions,
  ): Promise<Session> {
    return this.#command("POST", at`/api/sessions/${session}/fork`, from, call);
  }
  /** A control request to the agent, such as `set_model`. */
  control<T = unknown>(
    session: string,
    subtype: string,
    fields: Record<string, unknown> = {},
    call?: CallOptions,
  ): Promise<T> {
    const body = { subtype, fields };
    return this.#command("POST", at`/api/sessions/${session}/control`, body, call);
  }

  /** Who else listens on the hub's machine. The hub looks once, quietly. */
  discover(): Promise<NeighbourView[]> {
    return this.#get("/api/discovery");
  }
  /** Becomes a front end of a foreign relay. */
  attachRelay(port: number, call?: CallOptions): Promise<void> {
    return this.#command("POST", "/api/discovery/attach", { port }, call);
  }
  detachRelay(port: number, call?: CallOptions): Promise<void> {
    return this.#command("POST", "/api/discovery/detach", { port }, call);
  }

  items(
    session: string,
    range: { before?: number; limit?: number } = {},
  ): Promise<ItemsPage<Item>> {
    return this.#get(at`/api/sessions/${session}/items`, range);
  }
  /** The newest calls that changed a file, by the path that the session's summary names it with. */
  changes(session: string, path: string, limit?: number): Promise<ItemsPage<Item>> {
    return this.#get(at`/api/sessions/${session}/changes`, {
      path,
      ...(limit !== undefined && { limit }),
    });
  }
  item(session: string, id: string): Promise<Item> {
    return this.#get(at`/api/sessions/${session}/items/${id}`);
  }
  /** The end of what a command in the background has printed so far. */
  taskOutput(session: string, item: string): Promise<OutputTail> {
    return this.#get(at`/api/sessions/${session}/items/${item}/output`);
  }
  /** The log as it was written, by position. */
  lines(
    session: string,
    range: { after?: number; before?: number; limit?: number } = {},
  ): Promise<LinesPage> {
    return this.#get(at`/api/sessions/${session}/lines`, range);
  }
  /** Files of the session's folder whose path holds these letters. */
  findFiles(session: string, query: string): Promise<string[]> {
    return this.#get(at`/api/sessions/${session}/files`, { query });
  }
  /** A body that was too large to ride in its item: the whole, or the bytes of a range. */
  blob(hash: string, range?: { from: number; to?: number }): Promise<Response> {
    const headers = range && { range: `bytes=${range.from}-${range.to ?? ""}` };
    const path = at`/api/blobs/${hash}`;
    return this.#caller.response({ method: "GET", path, ...(headers && { headers }) });
  }
  async body(cut: CutBody): Promise<string> {
    return (await this.blob(cut.$blob)).text();
  }

  asks(): Promise<AskView[]> {
    return this.#get("/api/asks");
  }
  /** Open or not. */
  ask(id: string): Promise<AskView> {
    return this.#get(at`/api/asks/${id}`);
  }
  /** `answer.hash` is that of the ask as it was shown; another input, and it is refused. */
  async answer(ask: string, answer: NewAnswer, call?: CallOptions): Promise<AskView> {
    const signature = await this.#caller.sign(decisionText(ask, answer.hash, answer.decision));
    const signed = { ...answer, ...(signature !== undefined && { signature }) };
    return this.#command("POST", at`/api/asks/${ask}/answer`, signed, call);
  }

  /** What was decided about folders that bring code of their own. */
  trustDecisions(): Promise<TrustDecision[]> {
    return this.#get("/api/trust");
  }
  /** What a folder would run, and whether it is trusted; without a runner, on the hub's machine. */
  folderTrust(where: { folder: string; runner?: string }): Promise<FolderTrust> {
    return this.#get("/api/trust/folder", where);
  }
  sessionTrust(session: string): Promise<FolderTrust> {
    return this.#get(at`/api/sessions/${session}/trust`);
  }
  /** `grant.hash` is that of what was shown; where the folder has changed since, it is refused. */
  async grantTrust(grant: TrustGrant, call?: CallOptions): Promise<FolderTrust> {
    const signature = await this.#caller.sign(trustText(grant));
    const signed = { ...grant, ...(signature !== undefined && { signature }) };
    return this.#command("POST", "/api/trust/grant", signed, call);
  }
  revokeTrust(revocation: TrustRevocation, call?: CallOptions): Promise<FolderTrust> {
    return this.#command("POST", "/api/trust/revoke", revocation, call);
  }

  devices(): Promise<DeviceView[]> {
    return this.#get("/api/devices");
  }
  revokeDevice(id: string, call?: CallOptions): Promise<void> {
    return this.#command("DELETE", at`/api/devices/${id}`, undefined, call);
  }
  createPairing(role: DeviceRole | "runner", call?: CallOptions): Promise<Pairing> {
    return this.#command("POST", "/api/pairings", { role }, call);
  }
  /** Room for an agent that dials in, or another secret for a session there is. */
  inviteAgent(
    wanted: { session?: string; title?: string; folder?: string } = {},
    call?: CallOptions,
  ): Promise<{ session: string; secret: string; url: string }> {
    return this.#command("POST", "/api/relay/agents", wanted, call);
  }
  /** One try: whoever needs a ticket asks again in its own time. */
  async ticket(): Promise<string> {
    const request = { method: "POST", path: "/api/tickets", body: {}, once: true };
    return (await this.#caller.json<{ ticket: string }>(request)).ticket;
  }

  /**
   * A ticket with which a program that speaks the official SDK's protocol opens one session, and may answer
   * its asks by this device's word until `expiresAt`.
   */
  async sdkTicket(session: string, expiresAt: number): Promise<string> {
    const publicKey = await this.#caller.delegate();
    const text = delegationText({ publicKey: publicKey ?? "", session, expiresAt });
    const signature = await this.#caller.sign(text);
    const delegation = signature === undefined ? undefined : { session, expiresAt, signature };
    const request = { method: "POST", path: "/api/tickets", body: { delegation }, once: true };
    return (await this.#caller.json<{ ticket: string }>(request)).ticket;
  }
  /** A bearer token for a program that cannot sign. It is told once. */
  createToken(
    token: { name: string; role: "viewer" | "driver"; days?: number },
    call?: CallOptions,
  ): Promise<TokenMade> {
    return this.#command("POST", "/api/tokens", token, call);
  }

  /**
   * A terminal that has made a key pair asks to approve for as long as it runs; an approver's device
   * confirms it.
   */
  requestElevation(
    terminal: { name: string; publicKey: string },
    call?: CallOptions,
  ): Promise<ElevationView> {
    return this.#command("POST", "/api/elevations", terminal, call);
  }
  elevation(id: string): Promise<ElevationView> {
    return this.#get(at`/api/elevations/${id}`);
  }
  elevations(): Promise<ElevationView[]> {
    return this.#get("/api/elevations");
  }
  async decideElevation(
    { id, publicKey }: Pick<ElevationView, "id" | "publicKey">,
    confirm: boolean,
    call?: CallOptions,
  ): Promise<ElevationView> {
    const signature = confirm ? await this.#caller.sign(elevationText(id, publicKey)) : undefined;
    const body = { confirm, ...(signature !== undefined && { signature }) };
    return this.#command("POST", at`/api/elevations/${id}/decide`, body, call);
  }

  /** The hub itself, and who one is to it. */
  hub(): Promise<HubInfo> {
    return this.#get("/api/hub");
  }
  /** What is wrong with the hub's database; to look takes as long as it is large. */
  async integrity(): Promise<string[]> {
    return (await this.#get<{ problems: string[] }>("/api/integrity")).problems;
  }
  /** `heads`: those that were seen before, which must still be in the chain when it is verified. */
  audit(
    page: { before?: number; limit?: number; verify?: boolean; heads?: readonly string[] } = {},
  ): Promise<AuditPage> {
    const { verify, heads = [], ...range } = page;
    const check = verify && { verify: 1, ...(heads.length > 0 && { heads: heads.join(",") }) };
    return this.#get("/api/audit", { ...range, ...check });
  }

  agents(runner?: string): Promise<AgentView[]> {
    return this.#get("/api/agents", { runner });
  }
  setAgents(agents: readonly AgentSetting[], call?: CallOptions): Promise<void> {
    return this.#command("PUT", "/api/agents", agents, call);
  }
  environments(): Promise<Environments> {
    return this.#get("/api/environments");
  }
  environmentNames(): Promise<string[]> {
    return this.#get("/api/environments/names");
  }
  setEnvironments(profiles: Environments, call?: CallOptions): Promise<void> {
    return this.#command("PUT", "/api/environments", profiles, call);
  }
  /** Of each machine: the folders below which drivers may start sessions. */
  allowedFolders(): Promise<AllowedFoldersView[]> {
    return this.#get("/api/allowed-folders");
  }
  setAllowedFolders(change: NewAllowedFolders, call?: CallOptions): Promise<void> {
    return this.#command("PUT", "/api/allowed-folders", change, call);
  }
  projects(): Promise<ProjectView[]> {
    return this.#get("/api/projects");
  }
  runners(): Promise<RunnerView[]> {
    return this.#get("/api/runners");
  }
  /** The folders in a folder; without a path, in the home of whoever runs agents there. */
  folders(where: { path?: string; runner?: string } = {}): Promise<FolderView> {
    return this.#get("/api/folders", where);
  }

  #get<T>(path: string, query?: Record<string, string | number | undefined>): Promise<T> {
    return this.#caller.json({ method: "GET", path, ...(query && { query }) });
  }

  #command<T>(
    method: Method,
    path: string,
    body: unknown,
    { command = crypto.randomUUID(), ...call }: CallOptions = {},
  ): Promise<T> {
    return this.#caller.json({ method, path, body, command, ...call });
  }
}

/** A path; what is put into it is one segment, whatever it holds. */
function at(parts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}
