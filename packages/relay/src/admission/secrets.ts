import {
  createAuditChange,
  type AuditActor,
  parseSecret,
  matchesHash,
  hashSecret,
  newSecret,
  type Store,
} from "@signalbox/hub/extension";

/** What an agent shows to be let into its session. Only the hash is kept; a new one ends the last. */
export class RelaySecrets {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** `creator`: the device for which the session was made; unset: this is another secret for it. */
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

  /** The device that made room for the agent; undefined: none did, or a hub of an older version. */
  creator(session: string): Promise<string | undefined> {
    return this.#store.setting(creatorKey(session));
  }

  /** The session that this secret is of; undefined: of none, or not any more. Looked up at each use. */
  async findSession(secret: string): Promise<string | undefined> {
    const claim = parseSecret(secret);
    const known =
      claim?.kind === "relay" ? await this.#store.setting(secretKey(claim.id)) : undefined;
    return matchesHash(secret, known) ? claim?.id : undefined;
  }

  /** A session was made for an agent at `/`: who may come back to it shows what that one showed. */
  async noteOpened(session: string, own: string | undefined): Promise<void> {
    await this.#store.commit([openedChange(session, own)]);
  }

  /** Whether one with the secret of this session, or with none, may come back to that session at `/`. */
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
