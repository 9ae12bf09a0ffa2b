import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { parseObject } from "@signalbox/protocol";
import type { Access } from "../devices/access.ts";
import type { ForeignRooms } from "../discovery/foreign-relay.ts";
import { type Actor, Refusal } from "../engine.ts";
import type { Conversation } from "../http/conversation.ts";
import type { Log } from "../http/log.ts";
import { audit } from "../log/audit-change.ts";
import type { SessionRow, Store } from "../log/store.ts";
import type { OpenEngine } from "../session/open-engine.ts";
import { AgentVisit } from "./agent-visit.ts";
import { Agents, type Claim } from "./agents.ts";
import { deleteIfEmpty } from "./empty-session.ts";
import { DIAL_HEADER } from "./dial-frames.ts";
import type { ClientVisit } from "./client-visit.ts";
import { EmbeddedRunner } from "./embedded-runner.ts";
import { FrontEnd, type FrontEndRooms } from "./front-end.ts";
import { initializeAnswer } from "./remembered.ts";
import { SdkClient, type SdkRooms } from "./sdk-client.ts";
import { HUB_HEADER, type RelayPath } from "./paths.ts";
import { RootVisit, type RootRooms } from "./root-visit.ts";
import { noTabs } from "./rotation.ts";
import { bearerOf, type Caller, FULL, Reception } from "./reception.ts";
import { RelaySecrets } from "./secrets.ts";

const SETTING = "relay-runner";
/** As Claude Code begins each turn; other programs may spell it otherwise, and are not listened to here. */
const INIT = '{"type":"system","subtype":"init"';
const dialler: Actor = { device: "relay", name: "an agent that dialled in", role: "driver" };
/** Until the agent has said where it works. */
const NOWHERE = "/";

export interface RelaySwitches {
  /** Lets agents at `/` and front ends at `/ws` in without a credential, from this machine alone. */
  readonly open?: boolean;
  /** Origins whose pages may speak to the relay. */
  readonly origins?: readonly string[];
  readonly graceMs?: number;
}

export interface RelayOptions extends RelaySwitches {
  readonly id: string;
  readonly engine: OpenEngine;
  readonly store: Store;
  readonly access: Access;
  readonly log: Log;
  readonly data: string;
}

/** The id under which the runner inside the hub is known, over all lives of the hub. */
export async function relayRunnerId(store: Store): Promise<string> {
  const known = await store.setting(SETTING);
  if (known !== undefined) return known;
  const id = randomUUID();
  await store.commit([{ kind: "setting", key: SETTING, value: id }]).catch(() => {});
  return id;
}

/** Agents that dial in, and those who speak the agents' own language. */
export class Relay implements AsyncDisposable {
  readonly origins: ReadonlySet<string>;
  readonly #options: RelayOptions;
  readonly #agents: Agents;
  readonly #runner: EmbeddedRunner;
  readonly #secrets: RelaySecrets;
  readonly #root: RootRooms;
  readonly #frontEnds = new Set<FrontEnd>();
  readonly #clients = new Set<ClientVisit>();
  readonly #reception: Reception;
  /** Sessions in the order in which their agents came. */
  readonly #order = new Set<string>();
  /** By session. */
  readonly #conversations = new Map<string, string>();

  private constructor(options: RelayOptions) {
    const { engine, store } = options;
    this.#options = options;
    this.origins = new Set(options.origins);
    this.#secrets = new RelaySecrets(store);
    this.#reception = new Reception(options.access);
    this.#agents = new Agents({
      store,
      sessions: engine.relayed,
      ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
      onAgent: (session, what) => this.#onAgent(session, what),
    });
    this.#runner = new EmbeddedRunner({
      id: options.id,
      dataFolder: join(options.data, "relay"),
      drivers: { relay: this.#agents.driver },
      engine,
      onStored: (session, count) => this.#agents.stored(session, count),
    });
    this.#root = this.#rootRooms();
  }

  /** Opens it; agents of runs that lived when the last hub ended are expected back. */
  static async open(options: RelayOptions): Promise<Relay> {
    const relay = new Relay(options);
    options.engine.relayed.listen((session, { from, text }) => {
      if (from === "agent") relay.#onLine(session, text);
    });
    options.access.book.onRevoked(() => {
      for (const client of relay.#clients) client.checkCredential();
    });
    await relay.#expectThoseOfBefore();
    relay.#runner.connect();
    return relay;
  }

  async #expectThoseOfBefore(): Promise<void> {
    const { ended, id } = this.#runner;
    for (const row of this.#options.engine.relayed.rows()) {
      if (row.runner !== id || row.state !== "running" || ended.has(row.id)) continue;
      if (!hasRun(row)) continue;
      const { order, counted } = await this.#agents.expect(row);
      this.#runner.goOn(order, counted);
    }
  }

  #onLine(session: string, text: string): void {
    if (this.#options.engine.relayed.row(session)?.driver !== "relay") return;
    if (text.startsWith(INIT) || !this.#conversations.has(session)) this.#introduced(session, text);
    for (const frontEnd of this.#frontEnds) frontEnd.line(text);
  }

  #onAgent(session: string, what: "connected" | "back" | "disconnected"): void {
    if (what === "back") {
      for (const frontEnd of this.#frontEnds) frontEnd.agentIsThere();
      return;
    }
    this.#order.delete(session);
    if (what === "connected") this.#order.add(session);
    // To a front end it means that all are gone: it is said of the last one.
    else if (this.#order.size > 0) return;
    for (const frontEnd of this.#frontEnds) frontEnd.agentHas(what);
  }

  /** What the agent says of itself. On a path that names a session, another conversation is only noted. */
  #introduced(session: string, text: string): void {
    const { relayed } = this.#options.engine;
    const row = relayed.row(session);
    const said = parseObject(text);
    if (!row || typeof said === "string") return;
    const { cwd, session_id: conversation } = said;
    if (typeof cwd === "string" && cwd !== row.folder) {
      void relayed.write(session, { folder: cwd }).catch(() => {});
    }
    const before = this.#conversations.get(session);
    if (typeof conversation !== "string" || conversation === before) return;
    this.#conversations.set(session, conversation);
    const isShared = this.#isHeld(conversation, session);
    if (before === undefined && !isShared) return;
    const goesOn = before !== undefined ? "goes on as another conversation" : "speaks as";
    const also = isShared ? ", which another agent that is connected has, too" : "";
    const remark = `The agent ${goesOn}${before === undefined ? "" : ","} ${conversation}${also}.`;
    void relayed.remark(session, remark).catch(() => {});
  }

  /** Whether an agent that is connected has said this in another session. */
  #isHeld(conversation: string, but: string | undefined): boolean {
    for (const [session, said] of this.#conversations) {
      if (said !== conversation || session === but) continue;
      if (this.#agents.isConnected(session)) return true;
    }
    return false;
  }

  /** Makes room for an agent: a session that it may dial into, or another secret for one there is. */
  async invite(
    wanted: { session?: string; title?: string; folder?: string },
    by: Actor,
  ): Promise<{ session: string; secret: string }> {
    const { engine } = this.#options;
    const { session = randomUUID(), title, folder = NOWHERE } = wanted;
    if (wanted.session === undefined) {
      const options = { folder, runner: this.#runner.id, ...(title !== undefined && { title }) };
      await engine.create(session, options, by);
    } else if (engine.session(session).driver !== "relay") {
      const detail = "The agent of this session is started by its runner; nobody dials into it.";
      throw new Refusal(409, "not-relayed", detail);
    }
    return { session, secret: await this.#secrets.make(session, by) };
  }

  /** Says who may come in, before anything is opened. */
  async visit(path: RelayPath, caller: Caller): Promise<Conversation> {
    switch (path.kind) {
      case "agent":
        return this.#agent(path.session, path.secret, caller);
      case "front-end": {
        if (caller.headers.has(HUB_HEADER)) throw isHub();
        const isPage = caller.headers.get("origin") !== null;
        const without = this.#options.open ? "open" : isPage ? "later" : "refused";
        const speaker = this.#reception.speaker(caller, path.ticket, without);
        return new FrontEnd(this.#frontEndRooms(), speaker);
      }
      case "sdk": {
        const speaker = this.#reception.speaker(caller, path.ticket, "later");
        return new SdkClient(this.#sdkRooms(), path.session, speaker);
      }
      case "root":
        return this.#rootVisit(caller);
      default:
        return path satisfies never;
    }
  }

  async #rootVisit(caller: Caller): Promise<Conversation> {
    const session = await this.#rootSession(caller);
    const lastSaid = caller.headers.get("x-last-request-id");
    const place = (refuse: (why: string) => void) =>
      session === undefined ? this.#reception.openPlace(() => refuse(FULL)) : () => {};
    return new RootVisit(this.#root, session, lastSaid, place);
  }

  /** At `/` the secret says whose session it is; where the relay is open there need be none. */
  async #rootSession({ headers, isLocal, wrong }: Caller): Promise<string | undefined> {
    const secret = bearerOf(headers);
    if (secret === undefined) {
      if (this.#options.open && isLocal) return undefined;
      throw noCredential();
    }
    const session = await this.#secrets.sessionOf(secret);
    if (session === undefined) throw wrong(wrongSecret());
    await this.#claim(session, claimOf(headers));
    return session;
  }

  #rootRooms(): RootRooms {
    const { engine, log, store } = this.#options;
    return {
      agents: this.#agents,
      tabs: noTabs,
      newSession: async (own) => {
        const session = randomUUID();
        await this.#secrets.opened(session, own);
        await engine.create(session, { folder: NOWHERE, runner: this.#options.id }, dialler);
        return session;
      },
      mayReturn: (session, own) => this.#secrets.mayReturn(session, own),
      refused: (session, refusal) => this.#noteRefused(session, refusal),
      isHeld: (conversation, but) => this.#isHeld(conversation, but),
      quarantined: (session, conversation) => {
        const text = `The agent speaks as ${conversation}, which another agent that is connected has. What it says so is not let in.`;
        log.error("conversation-quarantined", { session, conversation });
        if (session !== undefined) void engine.relayed.remark(session, text).catch(() => {});
        void store
          .commit([audit("conversation-quarantined", null, session ?? null, { conversation })])
          .catch(() => {});
      },
    };
  }

  /** For conversations that pass a relay of somebody else's. */
  get foreignRooms(): ForeignRooms {
    const [root, { engine, id: runner }] = [this.#root, this.#options];
    return {
      agents: this.#agents,
      get tabs() {
        return root.tabs;
      },
      set tabs(next) {
        root.tabs = next;
      },
      session: async (id) => void (await engine.create(id, { folder: NOWHERE, runner }, dialler)),
      over: async (id) => engine.relayed.over(id),
      deleteIfEmpty: (id) => deleteIfEmpty(engine, id, dialler),
      isHeld: (conversation, but) => root.isHeld(conversation, but),
      quarantined: (session, conversation) => root.quarantined(session, conversation),
    };
  }

  #entered(client: ClientVisit): () => void {
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  #frontEndRooms(): FrontEndRooms {
    const { access, engine } = this.#options;
    return {
      access,
      engine,
      connected: () => [...this.#order].filter((session) => this.#agents.isConnected(session)),
      sessionOf: (id) =>
        engine.relayed
          .rows()
          .find((row) => row.driver === "relay" && (row.id === id || row.conversation === id))?.id,
      arrived: (visit) => {
        const leave = this.#entered(visit);
        this.#frontEnds.add(visit);
        return () => {
          leave();
          this.#frontEnds.delete(visit);
        };
      },
    };
  }

  #sdkRooms(): SdkRooms {
    const { access, engine, store } = this.#options;
    return {
      access,
      engine,
      listen: (listener) => engine.relayed.listen(listener),
      initialized: async (session) => {
        const run = engine.relayed.row(session)?.run;
        return (run && (await initializeAnswer(store, session, run))) || { commands: [] };
      },
      entered: (visit) => this.#entered(visit),
    };
  }

  async #agent(session: string, inPath: string | undefined, caller: Caller): Promise<Conversation> {
    const secret = inPath ?? bearerOf(caller.headers);
    if (secret === undefined) throw noCredential();
    if ((await this.#secrets.sessionOf(secret)) !== session) throw caller.wrong(wrongSecret());
    if (!this.#options.engine.relayed.row(session)) {
      throw new Refusal(404, "no-such-session", "There is no such session any more.");
    }
    const claim = claimOf(caller.headers);
    await this.#claim(session, claim);
    const onRefused = (refusal: Refusal) => this.#noteRefused(session, refusal);
    return new AgentVisit(this.#agents, session, claim, onRefused);
  }

  async #claim(session: string, claim: Claim): Promise<void> {
    await this.#agents.claim(session, claim).catch((refusal: unknown) => {
      this.#noteRefused(session, refusal);
      throw refusal;
    });
  }

  #noteRefused(session: string, refusal: unknown): void {
    if (!(refusal instanceof Refusal) || refusal.code !== "session-held") return;
    const { store, log } = this.#options;
    log.error("second-agent-refused", { session });
    void store.commit([audit("second-agent-refused", null, session, {})]).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agents.leave();
    await this.#runner[Symbol.asyncDispose]();
  }
}

function hasRun(row: SessionRow): row is SessionRow & { run: string } {
  return row.run !== null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function claimOf(headers: Headers): Claim {
  const life = headers.get(DIAL_HEADER)?.toLowerCase();
  if (life !== undefined && !uuid.test(life)) {
    throw new Refusal(400, "bad-life", `${DIAL_HEADER} must be a UUID.`);
  }
  return { life, lastSaid: headers.get("x-last-request-id") };
}

export function noCredential(): Refusal {
  const detail =
    "The relay needs a secret: as bearer token (Claude Code sends the variable CLAUDE_CODE_SESSION_ACCESS_TOKEN), or as the last part of the path. `signalbox relay` makes one.";
  return new Refusal(401, "no-credential", detail);
}

/** Each would show the other what it is shown, for ever. */
function isHub(): Refusal {
  const detail =
    "This is a Signalbox hub, and hubs are not front ends of each other: its sessions are on its own page.";
  return new Refusal(409, "is-hub", detail);
}

function wrongSecret(): Refusal {
  const detail =
    "This secret is not the session's, or not any more. `signalbox relay` makes another.";
  return new Refusal(401, "wrong-credential", detail);
}
