import {
  createAuditChange,
  readBearerToken,
  type Logger,
  type Engine,
  HubRefusal,
  type Store,
} from "@signalbox/hub/extension";
import type { Agents, ConnectionClaim } from "../agents/agents.ts";
import { DIAL_HEADER } from "../transport/dial-frames.ts";
import { HUB_HEADER, type RelayPath } from "./paths.ts";
import type { RelayCaller } from "./admission-control.ts";
import type { RelaySecrets } from "./secrets.ts";

interface AgentAdmissionOptions {
  /** Agents on this machine need no secret at `/` where the relay is open. */
  readonly open?: boolean;
  readonly engine: Engine;
  readonly store: Store;
  readonly log: Logger;
  readonly secrets: RelaySecrets;
  readonly agents: Agents;
}

/**
 * Decides which agents are let in and to which session, by the secret that they show and by the
 * agents that are connected already.
 */
export class AgentAdmission {
  readonly #options: AgentAdmissionOptions;

  constructor(options: AgentAdmissionOptions) {
    this.#options = options;
  }

  /** Admits an agent to the session that its path names. Throws the refusal. */
  async admitToSession(
    { session, secret: inPath }: Extract<RelayPath, { kind: "agent" }>,
    { headers, wrong }: RelayCaller,
  ): Promise<ConnectionClaim> {
    const { secrets } = this.#options;
    const secret = inPath ?? readBearerToken(headers);
    if (secret === undefined) throw noCredential();
    if ((await secrets.findSession(secret)) !== session) throw wrong(wrongSecret());
    const claim = readClaim(headers);
    await this.#checkClaim(session, claim);
    return claim;
  }

  /**
   * Admits an agent at `/`: its secret identifies the session. Where the relay is open no secret is
   * needed.
   */
  async admitToRoot({
    headers,
    isLocal,
    wrong,
  }: RelayCaller): Promise<{ session: string; claim: ConnectionClaim } | undefined> {
    const secret = readBearerToken(headers);
    if (secret === undefined) {
      if (this.#options.open && isLocal) return undefined;
      throw noCredential();
    }
    const session = await this.#options.secrets.findSession(secret);
    if (session === undefined) throw wrong(wrongSecret());
    const claim = readClaim(headers);
    await this.#checkClaim(session, claim);
    return { session, claim };
  }

  async #checkClaim(session: string, claim: ConnectionClaim): Promise<void> {
    if (!this.#options.engine.relaySessions.findRow(session)) throw sessionGone(claim);
    await this.#options.agents.checkClaim(session, claim).catch((refusal: unknown) => {
      this.auditRefusal(session, refusal);
      throw refusal;
    });
  }

  auditRefusal(session: string, refusal: unknown): void {
    if (!(refusal instanceof HubRefusal) || refusal.code !== "session-held") return;
    const { store, log } = this.#options;
    log.error("second-agent-refused", { session });
    void store
      .commit([createAuditChange("second-agent-refused", null, session, {})])
      .catch(() => {});
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readClaim(headers: Headers): ConnectionClaim {
  const life = headers.get(DIAL_HEADER)?.toLowerCase();
  if (life !== undefined && !uuid.test(life)) {
    throw new HubRefusal(400, "bad-life", `${DIAL_HEADER} must be a UUID.`);
  }
  return { life, lastMessageId: headers.get("x-last-request-id") };
}

/** Two hubs that are front ends of each other would show each other's sessions back for ever. */
export function refuseHubs({ headers }: RelayCaller): void {
  if (!headers.has(HUB_HEADER)) return;
  const detail =
    "A Signalbox hub cannot attach to another hub. Open that hub's own page to see its sessions.";
  throw new HubRefusal(409, "is-hub", detail);
}

/** Answers 410 to `dial`, which would otherwise try for ever: the life of its agent is over. */
function sessionGone({ life }: ConnectionClaim): HubRefusal {
  const detail = "This session no longer exists.";
  return new HubRefusal(life === undefined ? 404 : 410, "no-such-session", detail);
}

function noCredential(): HubRefusal {
  const detail =
    "The relay needs the session's secret, as bearer token (Claude Code sends the variable CLAUDE_CODE_SESSION_ACCESS_TOKEN) or as the last part of the path. `signalbox relay` creates one.";
  return new HubRefusal(401, "no-credential", detail);
}

function wrongSecret(): HubRefusal {
  const detail =
    "This secret is not valid for the session, or was replaced. `signalbox relay` creates a new one.";
  return new HubRefusal(401, "wrong-credential", detail);
}
