import {
  createAuditChange,
  type AuditActor,
  parseSecret,
  matchesHash,
  hashSecret,
  newSecret,
  type Store,
} from "@signalbox/hub/extension";

/**
 * The secret that an agent shows to get into its session. Only the hash is stored, and a new secret
 * replaces the old one.
 */
export class RelaySecrets {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * `creator`: the device that created the session. If it is unset, the session exists and gets
   * another secret.
   */
  async make(session: string, by: AuditActor, creator?: string): Promise<string> {
    const secret = newSecret("relay", session);
    await this.#store.commit([
      { kind: "setting", key: secretKey(session), value: hashSecret(secret) },
      ...(creator === undefined
        ? []
        : [{ kind: "setting", key: creatorKey(session), value: creator } as const]),
      openedChange(session, session),
      createAuditChange("relay-secret-made", by, session, {}),
    ]);
    return secret;
  }

  /**
   * The device that created the session for the agent. Undefined: no device did, or the hub had an
   * older version.
   */
  creator(session: string): Promise<string | undefined> {
    return this.#store.setting(creatorKey(session));
  }

  /**
   * The session to which this secret belongs. Undefined: none, or no longer. It is looked up at
   * each use.
   */
  async findSession(secret: string): Promise<string | undefined> {
    const claim = parseSecret(secret);
    const known =
      claim?.kind === "relay" ? await this.#store.setting(secretKey(claim.id)) : undefined;
    return matchesHash(secret, known) ? claim?.id : undefined;
  }

  /**
   * A session was created for an agent at `/`. Only an agent with the same credential may return to
   * it.
   */
  async noteOpened(session: string, own: string | undefined): Promise<void> {
    await this.#store.commit([openedChange(session, own)]);
  }

  /**
   * Whether an agent with the secret of this session, or without one, may return to that session at
   * `/`.
   */
  async mayReturn(session: string, own: string | undefined): Promise<boolean> {
    if (session === own) return true;
    return (await this.#store.setting(openedKey(session))) === (own ?? NO_SECRET);
  }
}

function secretKey(session: string): string {
  return `relay.secret.${session}`;
}

function creatorKey(session: string): string {
  return `relay.creator.${session}`;
}

const NO_SECRET = "";
function openedKey(session: string): string {
  return `relay.opened-by.${session}`;
}
function openedChange(session: string, own: string | undefined) {
  return { kind: "setting", key: openedKey(session), value: own ?? NO_SECRET } as const;
}
