import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type AccessControl,
  type Actor,
  createAuditChange,
  type SocketHandler,
  isAlive,
  type Logger,
  type Engine,
  readOrAddMachineId,
  HubRefusal,
  type SessionRow,
  type Store,
} from "@signalbox/hub/extension";
import type { ForeignRelayServices } from "./discovery/foreign-relay.ts";
import { AgentAdmission, refuseHubs } from "./admission/agent-admission.ts";
import { AgentSocketHandler } from "./agents/agent-socket-handler.ts";
import { Agents, type ConnectionClaim } from "./agents/agents.ts";
import { deleteIfEmpty } from "./agents/delete-empty-session.ts";
import type { ClientSocketHandler } from "./clients/client-socket-handler.ts";
import { EmbeddedRunner } from "./embedded-runner/embedded-runner.ts";
import { FrontEndHandler, type FrontEndServices } from "./clients/front-end.ts";
import { readInitializeAnswer } from "./history/stored-history.ts";
import { SdkClientHandler, type SdkClientServices } from "./clients/sdk-client.ts";
import type { RelayPath } from "./admission/paths.ts";
import { RootSocketHandler, type RootServices } from "./agents/root-socket-handler.ts";
import { noTabs } from "./conversations/rotation.ts";
import {
  type RelayCaller,
  NO_PLACE_LEFT,
  AdmissionControl,
} from "./admission/admission-control.ts";
import { RelaySecrets } from "./admission/secrets.ts";
import { ConversationIndex } from "./conversations/conversation-index.ts";

const dialActor: Actor = { device: "relay", name: "an agent that dialed in", role: "driver" };
/** Used until the agent has named its folder. */
const UNKNOWN_FOLDER = "/";

export interface RelaySettings {
  /** Lets agents at `/` and front ends at `/ws` in without a credential, from this machine alone. */
  readonly open?: boolean;
  /** Origins whose pages may use the relay. */
  readonly origins?: readonly string[];
  readonly graceMs?: number;
}

interface RelayOptions extends RelaySettings {
  readonly id: string;
  readonly engine: Engine;
  readonly store: Store;
  readonly access: AccessControl;
  readonly log: Logger;
  readonly data: string;
}

/** The id of the runner inside the hub, across restarts of the hub. */
export function readRelayRunnerId(store: Store): Promise<string> {
  return readOrAddMachineId(store, "relay-runner");
}

/** Connects agents that dial in, and clients that use the agents' own protocol. */
export class Relay implements AsyncDisposable {
  readonly origins: ReadonlySet<string>;
  readonly #options: RelayOptions;
  readonly #agents: Agents;
  readonly #runner: EmbeddedRunner;
  readonly #secrets: RelaySecrets;
  readonly #rootServices: RootServices;
  readonly #frontEnds = new Set<FrontEndHandler>();
  readonly #clients = new Set<ClientSocketHandler>();
  readonly #admissionControl: AdmissionControl;
  readonly #agentAdmission: AgentAdmission;
  /** Sessions in the order in which their agents connected. */
  readonly #connectedOrder = new Set<string>();
  readonly #conversations: ConversationIndex;

  private constructor(options: RelayOptions) {
    const { engine, store } = options;
    this.#options = options;
    this.origins = new Set(options.origins);
    this.#secrets = new RelaySecrets(store);
    this.#admissionControl = new AdmissionControl(options.access);
    this.#agents = new Agents({
      store,
      sessions: engine.relaySessions,
      isBehind: (session) => this.#runner.getRecovered(session) !== undefined,
      ...(options.graceMs !== undefined && { graceMs: options.graceMs }),
      onAgent: (session, what) => this.#onAgent(session, what),
    });
    this.#agentAdmission = new AgentAdmission({
      ...options,
      secrets: this.#secrets,
      agents: this.#agents,
    });
    this.#conversations = new ConversationIndex(engine.relaySessions, (id) =>
      this.#agents.isConnected(id),
    );
    this.#runner = new EmbeddedRunner({
      id: options.id,
      dataFolder: join(options.data, "relay"),
      drivers: new Map([["relay", this.#agents.driver]]),
      runners: engine.runners,
      onStored: (session, count) => this.#agents.onStored(session, count),
    });
    this.#rootServices = this.#createRootServices();
  }

  /**
   * Opens the relay. Agents of runs that were alive when the previous process ended are expected to
   * return.
   */
  static async open(options: RelayOptions): Promise<Relay> {
    const relay = new Relay(options);
    options.engine.relaySessions.listen((session, { from, text }) => {
      if (from === "agent") relay.#onLine(session, text);
    });
    options.access.devices.onRevoked(() => {
      for (const client of relay.#clients) client.checkCredential();
    });
    await relay.#expectPreviousAgents();
    relay.#runner.connect();
    await relay.#runner.waitForRecovered();
    return relay;
  }

  async #expectPreviousAgents(): Promise<void> {
    for (const row of this.#options.engine.relaySessions.listRows()) {
      if (row.runner !== this.#runner.id || !isAlive(row) || !hasRun(row)) continue;
      const left = this.#runner.getRecovered(row.id);
      if (left?.endsRun) continue;
      const { order, counted } = await this.#agents.expected.add(row, left);
      this.#runner.resumeRun(order, counted);
    }
  }

  #onLine(session: string, text: string): void {
    if (this.#options.engine.relaySessions.findRow(session)?.driver !== "relay") return;
    this.#conversations.onLine(session, text);
    for (const frontEnd of this.#frontEnds) frontEnd.onAgentLine(text);
  }

  #onAgent(session: string, what: "connected" | "back" | "disconnected"): void {
    if (what === "back") {
      for (const frontEnd of this.#frontEnds) frontEnd.onAgentPresent();
      return;
    }
    this.#connectedOrder.delete(session);
    if (what === "connected") this.#connectedOrder.add(session);
    // A front end understands this as the end of all agents, so it is sent for the last one.
    else if (this.#connectedOrder.size > 0) return;
    for (const frontEnd of this.#frontEnds) frontEnd.onAgentChange(what);
  }

  /** Creates a session into which an agent can dial, or another secret for an existing one. */
  async invite(
    wanted: { session?: string; title?: string; folder?: string },
    by: Actor,
  ): Promise<{ session: string; secret: string }> {
    const { engine } = this.#options;
    const { session = randomUUID(), title, folder = UNKNOWN_FOLDER } = wanted;
    const isNew = wanted.session === undefined;
    if (isNew) {
      const options = { folder, runner: this.#runner.id, ...(title !== undefined && { title }) };
      await engine.sessions.create(session, options, by);
    } else if (engine.sessions.get(session).driver !== "relay") {
      const detail =
        "The agent of this session is started by its runner, so no agent can dial in to it.";
      throw new HubRefusal(409, "not-relayed", detail);
    } else if (by.role !== "admin" && (await this.#secrets.creator(session)) !== by.device) {
      const detail =
        "Only the device that created this session, or an admin's device, can replace its secret.";
      throw new HubRefusal(403, "not-the-creator", detail);
    }
    const secret = await this.#secrets.make(session, by, isNew ? by.device : undefined);
    // A connection with the replaced secret cannot return.
    await this.#agents.disconnect((id) => this.#secrets.mayReturn(id, session));
    return { session, secret };
  }

  /** Decides who may connect, before anything is opened. */
  async accept(path: RelayPath, caller: RelayCaller): Promise<SocketHandler> {
    switch (path.kind) {
      case "agent":
        return this.#createAgentHandler(
          path.session,
          await this.#agentAdmission.admitToSession(path, caller),
        );
      case "front-end": {
        refuseHubs(caller);
        const isPage = caller.headers.get("origin") !== null;
        const without = this.#options.open ? "open" : isPage ? "later" : "refused";
        const identity = this.#admissionControl.identify(caller, path.ticket, without);
        return new FrontEndHandler(this.#createFrontEndServices(), identity);
      }
      case "sdk": {
        const identity = this.#admissionControl.identify(caller, path.ticket, "later");
        return new SdkClientHandler(this.#createSdkServices(), path.session, identity);
      }
      case "root": {
        const own = await this.#agentAdmission.admitToRoot(caller);
        // `dial` numbers its lines per life, so its secret decides where they go.
        if (own?.claim.life !== undefined) return this.#createAgentHandler(own.session, own.claim);
        return this.#createRootHandler(own?.session, caller);
      }
      default:
        return path satisfies never;
    }
  }

  #createAgentHandler(session: string, claim: ConnectionClaim): SocketHandler {
    const onRefused = (refusal: HubRefusal) => this.#agentAdmission.auditRefusal(session, refusal);
    return new AgentSocketHandler(this.#agents, session, claim, onRefused);
  }

  #createRootHandler(session: string | undefined, { headers }: RelayCaller): SocketHandler {
    const lastMessageId = headers.get("x-last-request-id");
    const place = (refuse: (why: string) => void) =>
      session === undefined
        ? this.#admissionControl.reserveAnonymousPlace(() => refuse(NO_PLACE_LEFT))
        : () => {};
    return new RootSocketHandler(this.#rootServices, session, lastMessageId, place);
  }

  #createRootServices(): RootServices {
    const { engine, log, store } = this.#options;
    return {
      agents: this.#agents,
      tabs: noTabs,
      newSession: async (own) => {
        const session = randomUUID();
        await this.#secrets.noteOpened(session, own);
        await engine.sessions.create(
          session,
          { folder: UNKNOWN_FOLDER, runner: this.#options.id },
          dialActor,
        );
        return session;
      },
      mayReturn: (session, own) => this.#secrets.mayReturn(session, own),
      onRefused: (session, refusal) => this.#agentAdmission.auditRefusal(session, refusal),
      isHeld: (conversation, but) => this.#conversations.isHeld(conversation, but),
      onQuarantined: (session, conversation) => {
        const text = `The agent uses the conversation ${conversation}, which another connected agent has. These messages are ignored.`;
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

  /** For conversations that pass a foreign relay. */
  get foreignServices(): ForeignRelayServices {
    const [root, { engine, id: runner }] = [this.#rootServices, this.#options];
    return {
      agents: this.#agents,
      get tabs() {
        return root.tabs;
      },
      set tabs(next) {
        root.tabs = next;
      },
      ensureSession: async (id) =>
        void (await engine.sessions.create(id, { folder: UNKNOWN_FOLDER, runner }, dialActor)),
      waitUntilOver: async (id) => engine.relaySessions.waitForRunEnd(id),
      deleteIfEmpty: (id) => deleteIfEmpty(engine, id, dialActor),
      isHeld: (conversation, but) => root.isHeld(conversation, but),
      onQuarantined: (session, conversation) => root.onQuarantined(session, conversation),
    };
  }

  #onClientEntered(client: ClientSocketHandler): () => void {
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  #createFrontEndServices(): FrontEndServices {
    const { access, engine } = this.#options;
    return {
      access,
      engine,
      listConnected: () =>
        [...this.#connectedOrder].filter((session) => this.#agents.isConnected(session)),
      findSession: (id) => this.#conversations.findSession(id),
      onArrived: (visit) => {
        const leave = this.#onClientEntered(visit);
        this.#frontEnds.add(visit);
        return () => {
          leave();
          this.#frontEnds.delete(visit);
        };
      },
    };
  }

  #createSdkServices(): SdkClientServices {
    const { access, engine, store } = this.#options;
    return {
      access,
      engine,
      listen: (listener) => engine.relaySessions.listen(listener),
      readInitialized: async (session) => {
        const run = engine.relaySessions.findRow(session)?.run;
        return (run && (await readInitializeAnswer(store, session, run))) || { commands: [] };
      },
      onEntered: (visit) => this.#onClientEntered(visit),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agents.shutDown();
    await this.#runner[Symbol.asyncDispose]();
  }
}

function hasRun(row: SessionRow): row is SessionRow & { run: string } {
  return row.run !== null;
}
