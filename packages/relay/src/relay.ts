import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type AccessControl,
  type Actor,
  createAuditChange,
  type SocketHandler,
  isAlive,
  type Logger,
  type OpenEngine,
  Refusal,
  type SessionRow,
  type Store,
} from "@signalbox/hub/extension";
import type { ForeignRooms } from "./discovery/foreign-relay.ts";
import { Admission, refuseHubs } from "./admission/agent-admission.ts";
import { AgentVisit } from "./agents/agent-socket-handler.ts";
import { Agents, type Claim } from "./agents/agents.ts";
import { deleteIfEmpty } from "./agents/delete-empty-session.ts";
import type { ClientVisit } from "./clients/client-socket-handler.ts";
import { EmbeddedRunner } from "./embedded-runner/embedded-runner.ts";
import { FrontEnd, type FrontEndRooms } from "./clients/front-end.ts";
import { initializeAnswer } from "./history/stored-history.ts";
import { SdkClient, type SdkRooms } from "./clients/sdk-client.ts";
import type { RelayPath } from "./admission/paths.ts";
import { RootVisit, type RootRooms } from "./agents/root-socket-handler.ts";
import { noTabs } from "./conversations/rotation.ts";
import { type Caller, FULL, Reception } from "./admission/admission-control.ts";
import { RelaySecrets } from "./admission/secrets.ts";
import { SpokenConversations } from "./conversations/conversation-index.ts";

const SETTING = "relay-runner";
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
  readonly access: AccessControl;
  readonly log: Logger;
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
  readonly #admission: Admission;
  /** Sessions in the order in which their agents came. */
  readonly #order = new Set<string>();
  readonly #spoken: SpokenConversations;

  private constructor(options: RelayOptions) {
    const { engine, store } = options;
    this.#options = options;
    this.origins = new Set(options.origins);
    this.#secrets = new RelaySecrets(store);
    this.#reception = new Reception(options.access);
    this.#agents = new Agents({
      store,
      sessions: engine.relaySessions,
      isBehind: (session) => this.#runner.left(session) !== undefined,
      ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
      onAgent: (session, what) => this.#onAgent(session, what),
    });
    this.#admission = new Admission({
      ...options,
      secrets: this.#secrets,
      agents: this.#agents,
    });
    this.#spoken = new SpokenConversations(engine.relaySessions, (id) =>
      this.#agents.isConnected(id),
    );
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
    options.engine.relaySessions.listen((session, { from, text }) => {
      if (from === "agent") relay.#onLine(session, text);
    });
    options.access.devices.onRevoked(() => {
      for (const client of relay.#clients) client.checkCredential();
    });
    await relay.#expectThoseOfBefore();
    relay.#runner.connect();
    await relay.#runner.leftStored();
    return relay;
  }

  async #expectThoseOfBefore(): Promise<void> {
    for (const row of this.#options.engine.relaySessions.listRows()) {
      if (row.runner !== this.#runner.id || !isAlive(row) || !hasRun(row)) continue;
      const left = this.#runner.left(row.id);
      if (left?.endsRun) continue;
      const { order, counted } = await this.#agents.expected.add(row, left);
      this.#runner.goOn(order, counted);
    }
  }

  #onLine(session: string, text: string): void {
    if (this.#options.engine.relaySessions.findRow(session)?.driver !== "relay") return;
    this.#spoken.heard(session, text);
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

  /** Makes room for an agent: a session that it may dial into, or another secret for one there is. */
  async invite(
    wanted: { session?: string; title?: string; folder?: string },
    by: Actor,
  ): Promise<{ session: string; secret: string }> {
    const { engine } = this.#options;
    const { session = randomUUID(), title, folder = NOWHERE } = wanted;
    const isNew = wanted.session === undefined;
    if (isNew) {
      const options = { folder, runner: this.#runner.id, ...(title !== undefined && { title }) };
      await engine.create(session, options, by);
    } else if (engine.session(session).driver !== "relay") {
      const detail = "The agent of this session is started by its runner; nobody dials into it.";
      throw new Refusal(409, "not-relayed", detail);
    } else if (by.role !== "admin" && (await this.#secrets.creator(session)) !== by.device) {
      const detail =
        "Only the device that made this session for an agent, or an admin's device, can replace its secret.";
      throw new Refusal(403, "not-the-creator", detail);
    }
    const secret = await this.#secrets.make(session, by, isNew ? by.device : undefined);
    // Who came with the one before does not come back with it.
    await this.#agents.hangUp((id) => this.#secrets.mayReturn(id, session));
    return { session, secret };
  }

  /** Says who may come in, before anything is opened. */
  async visit(path: RelayPath, caller: Caller): Promise<SocketHandler> {
    switch (path.kind) {
      case "agent":
        return this.#agentVisit(path.session, await this.#admission.toSession(path, caller));
      case "front-end": {
        refuseHubs(caller);
        const isPage = caller.headers.get("origin") !== null;
        const without = this.#options.open ? "open" : isPage ? "later" : "refused";
        const speaker = this.#reception.speaker(caller, path.ticket, without);
        return new FrontEnd(this.#frontEndRooms(), speaker);
      }
      case "sdk": {
        const speaker = this.#reception.speaker(caller, path.ticket, "later");
        return new SdkClient(this.#sdkRooms(), path.session, speaker);
      }
      case "root": {
        const own = await this.#admission.toRoot(caller);
        // `dial` numbers its lines by its life: its secret says where they go.
        if (own?.claim.life !== undefined) return this.#agentVisit(own.session, own.claim);
        return this.#rootVisit(own?.session, caller);
      }
      default:
        return path satisfies never;
    }
  }

  #agentVisit(session: string, claim: Claim): SocketHandler {
    const onRefused = (refusal: Refusal) => this.#admission.noteRefused(session, refusal);
    return new AgentVisit(this.#agents, session, claim, onRefused);
  }

  #rootVisit(session: string | undefined, { headers }: Caller): SocketHandler {
    const lastSaid = headers.get("x-last-request-id");
    const place = (refuse: (why: string) => void) =>
      session === undefined ? this.#reception.openPlace(() => refuse(FULL)) : () => {};
    return new RootVisit(this.#root, session, lastSaid, place);
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
      refused: (session, refusal) => this.#admission.noteRefused(session, refusal),
      isHeld: (conversation, but) => this.#spoken.isHeld(conversation, but),
      quarantined: (session, conversation) => {
        const text = `The agent speaks as ${conversation}, which another agent that is connected has. What it says so is not let in.`;
        log.error("conversation-quarantined", { session, conversation });
        if (session !== undefined)
          void engine.relaySessions.addRemark(session, text).catch(() => {});
        void store
          .commit([
            createAuditChange("conversation-quarantined", null, session ?? null, { conversation }),
          ])
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
      over: async (id) => engine.relaySessions.waitForRunEnd(id),
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
      sessionOf: (id) => this.#spoken.sessionOf(id),
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
      listen: (listener) => engine.relaySessions.listen(listener),
      initialized: async (session) => {
        const run = engine.relaySessions.findRow(session)?.run;
        return (run && (await initializeAnswer(store, session, run))) || { commands: [] };
      },
      entered: (visit) => this.#entered(visit),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agents.leave();
    await this.#runner[Symbol.asyncDispose]();
  }
}

function hasRun(row: SessionRow): row is SessionRow & { run: string } {
  return row.run !== null;
}
