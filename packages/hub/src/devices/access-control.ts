import { hostname } from "node:os";
import {
  isRoleAtLeast,
  type DeviceView,
  type ElevationView,
  type HubDecision,
  type HubIdentity,
  type IdentityProof,
  type Pairing,
  type TrustGrant,
} from "@signalbox/api";
import {
  type Authorization,
  decisionText,
  delegationText,
  requestText,
  trustText,
} from "@signalbox/api/proof";
import { verifySignature } from "@signalbox/runner/keys";
import type { Actor } from "../actor.ts";
import { HubRefusal } from "../refusal.ts";
import { FIRST_HEAD } from "../store/audit-chain.ts";
import type { AuditSigning, DeviceRow, Store } from "../store/store.ts";
import { type AuditSigningOptions, openAuditSigning } from "./audit-signing.ts";
import { type Clocks, systemClocks } from "../clocks.ts";
import { DeviceRegistry, type NewToken } from "./device-registry.ts";
import { makeDistinctName } from "./distinct-name.ts";
import { type Confirmation, Elevations } from "./elevations.ts";
import { GuessLimiter } from "./guess-limiter.ts";
import { forgetSharedKey, type Identity, openIdentity, proveIdentity } from "./identity.ts";
import { KeptAuditHead } from "./kept-audit-head.ts";
import { Nonces } from "./nonces.ts";
import { PairingCodes } from "./pairing-codes.ts";
import { unlessRevoked } from "./revoked-before-stored.ts";
import { type AnyRole, getMakerRole, mayManage } from "./roles.ts";
import { Tickets } from "./tickets.ts";

/** Whose credential was shown. The role is the one that the hub has stored, whatever the client claims. */
export type Credential =
  | {
      readonly kind: "person";
      readonly actor: Actor;
      readonly elevation: string | undefined;
      /** It holds a token and no key: it may not pair, confirm or revoke anybody. */
      readonly program?: true;
      /** The approver's delegation that lets this ticket's holder answer the asks of one session. */
      readonly delegation?: Delegation;
    }
  | { readonly kind: "runner"; readonly device: string };
export type Person = Extract<Credential, { kind: "person" }>;

interface Delegation {
  readonly session: string;
  readonly expiresAt: number;
  readonly signature: string;
}

/** Who signed a decision and how, for the runner to verify. */
export interface SignedDecision {
  /** The id of a device or of a confirmed terminal. */
  readonly by: string;
  readonly signature: string;
  /** Set if the hub's process signed on behalf of a device, which delegated this. */
  readonly delegation?: Delegation & { readonly publicKey: string };
}

/** A key whose signatures runners accept as a person's decisions. */
export interface StoredApproverKey {
  readonly id: string;
  readonly publicKey: string;
  /** For a terminal's key: the approver's device that has signed it. */
  readonly confirmedBy?: { readonly device: string; readonly signature: string };
}

/** Who may access the hub, and how devices are added and removed. */
export class AccessControl {
  readonly devices: DeviceRegistry;
  readonly identity: Identity;
  /** How this hub's audit entries are verified; undefined: they are not signed. */
  readonly auditSigning: AuditSigning | undefined;
  readonly elevations: Elevations;
  /** The end of the audit log, as it is kept outside of the database. */
  readonly auditHead: KeptAuditHead;
  readonly #nonces: Nonces;
  readonly #codes: PairingCodes;
  readonly #tickets: Tickets<Person>;
  readonly #guesses: GuessLimiter;
  readonly #now: () => number;
  /** Names of devices that are being stored. */
  readonly #coming = new Set<string>();
  readonly #elevationsChanged = new Set<() => void>();
  readonly #approversChanged = new Set<() => void>();
  #mayHaveSharedKey: boolean;

  private constructor(
    store: Store,
    devices: DeviceRegistry,
    identity: Identity,
    signing: AuditSigning | undefined,
    auditHead: KeptAuditHead,
    clocks: Clocks,
  ) {
    this.auditHead = auditHead;
    this.devices = devices;
    this.auditSigning = signing;
    this.identity = identity;
    this.#mayHaveSharedKey = identity.sharedKey !== undefined;
    this.#now = clocks.now;
    this.#nonces = new Nonces(clocks.steady);
    this.#codes = new PairingCodes(clocks.steady);
    this.#tickets = new Tickets(clocks.steady);
    this.elevations = new Elevations(() => {
      for (const listener of this.#elevationsChanged) listener();
      this.#tellApprovers();
    }, clocks.steady);
    this.#guesses = new GuessLimiter((what, facts) => {
      const news = { at: clocks.now(), what, by: null, session: null, facts };
      store.commit([{ kind: "audit", news }]).catch(() => {});
    }, clocks.steady);
    devices.onRevoked((device) => {
      this.#codes.removeDevice(device);
      this.elevations.removeDevice(device);
      this.#nonces.forgetDevice(device);
    });
    devices.onChanged(() => {
      this.#tellApprovers();
      void this.#forgetSharedKey(store);
    });
  }

  /** Opens access control. `folder` is the data folder, which holds the hub's private key. */
  static async open(
    store: Store,
    clocks: Clocks = systemClocks,
    { folder, ...options }: Partial<AuditSigningOptions> = {},
  ): Promise<AccessControl> {
    const storedIdentity = await openIdentity(store, folder);
    const isNewDatabase = options.newDatabase === true && (await store.auditHead()) === FIRST_HEAD;
    const auditHead = await KeptAuditHead.open(store, { folder, isNewDatabase });
    const signing = await openAuditSigning(store, storedIdentity, { folder, ...options });
    const devices = await DeviceRegistry.open(store, clocks, signing, (row) =>
      auditHead.allows(row),
    );
    if (!devices.hasOldRunner) await forgetSharedKey(store);
    const identity = devices.hasOldRunner
      ? storedIdentity
      : { ...storedIdentity, sharedKey: undefined };
    return new AccessControl(store, devices, identity, signing, auditHead, clocks);
  }

  /** Saves the end of the audit log and the current devices, for the next start. */
  keepAuditHead(): Promise<void> {
    return this.auditHead.keep(() => this.devices.list());
  }

  /** The hub's identity, as a device pins it. */
  get hub(): HubIdentity {
    return { id: this.identity.hub, key: this.identity.key.publicKey };
  }

  /** Proves the hub's identity, and issues a nonce for the caller's own proofs. */
  prove(challenge: string, host: string, device: string | undefined): IdentityProof {
    const row = device === undefined ? undefined : this.devices.find(device);
    const tokenHash = row?.publicKey === null ? row.tokenHash : undefined;
    const nonce = this.#nonces.issue();
    const byShared = this.devices.hasOldRunner;
    return proveIdentity(this.identity, { challenge, host, nonce, tokenHash, byShared });
  }

  /**
   * Finds whose request this is by its signature. `stale`: the signature is right, but its nonce is outdated.
   * Undefined: the signature is wrong, its device is revoked, or the request was sent before.
   */
  verify(proof: Authorization, method: string, target: string): Credential | "stale" | undefined {
    const { device: id, nonce, count, digest, signature } = proof;
    const terminal = this.elevations.findActive(id);
    const row = this.devices.find(terminal?.device ?? id);
    const publicKey = terminal?.publicKey ?? row?.publicKey;
    if (!row || typeof publicKey !== "string") return undefined;
    const text = requestText({ device: id, nonce, count, method, target, digest });
    if (!verifySignature(publicKey, text, signature)) return undefined;
    const use = this.#nonces.use(id, nonce, count);
    if (use !== "ok") return use === "stale" ? "stale" : undefined;
    this.devices.noteUse(row);
    if (terminal) this.elevations.use(id);
    if (row.role === "runner") return { kind: "runner", device: row.id };
    return createPersonCredential(row, terminal);
  }

  /**
   * Finds whose token this is: a program's, or that of a runner of the previous version. A person's device
   * that predates keys may use its token only for `upgrade`.
   */
  authenticate(token: string): Credential | "needs-key" | undefined {
    const row = this.devices.authenticate(token);
    if (!row) return undefined;
    if (row.role === "runner") return { kind: "runner", device: row.id };
    const person = this.devices.isProgram(row)
      ? createPersonCredential(row, undefined)
      : "needs-key";
    return typeof person === "object" && person.kind === "person"
      ? { ...person, program: true }
      : person;
  }

  /** Gives a device that predates keys its key, once. Undefined: the token is not valid. */
  async upgrade(token: string, publicKey: string): Promise<DeviceView | undefined> {
    const row = this.devices.authenticate(token);
    if (!row || this.devices.isProgram(row)) return undefined;
    const keyed = await unlessRevoked(this.devices.giveKey(row, publicKey));
    await this.keepAuditHead();
    return keyed && this.devices.view(keyed, true);
  }

  /** Whether a credential that was accepted earlier is still valid. */
  stillHolds(credential: Credential): boolean {
    if (credential.kind === "runner")
      return this.devices.find(credential.device)?.role === "runner";
    const { actor, elevation } = credential;
    const row = this.devices.find(actor.device);
    if (!row) return false;
    return elevation === undefined ? row.role === actor.role : this.elevations.use(elevation);
  }

  /** Counts a wrong credential of any kind. Returns whether there are too many. */
  recordWrongGuess(facts: Record<string, unknown>): boolean {
    return this.#guesses.count(facts);
  }

  invite(role: AnyRole, by: Person, origin: string): Pairing {
    // A terminal that an approver has confirmed may add a machine, because that opens a link and nothing
    // else.
    if (role !== "runner" || by.program) requireOwnKey(by, "pair a device");
    if (!mayManage(by.actor.role, role)) {
      throw new HubRefusal(
        403,
        "role-too-weak",
        `Pairing a device with the role ${role} takes the role ${getMakerRole(role)} or above. This device has the role ${by.actor.role}.`,
      );
    }
    return this.#pairing(role, by.actor.device, origin);
  }

  /**
   * Makes the pairing code of the first admin. It may be shown only in the hub's own terminal, because
   * whoever reads it becomes the admin.
   */
  inviteFirst(origin: string): Pairing {
    return this.#pairing("admin", null, origin);
  }

  /** `origin`: of the page of another program that pairs itself. */
  async pair(
    code: string,
    name: string,
    publicKey: string,
    origin?: string,
  ): Promise<DeviceView | null> {
    const pairingGrant = this.#codes.redeem(code);
    if (!pairingGrant) return null;
    const here = origin === undefined ? "" : ` on the page at ${origin}`;
    const how = (pairingGrant.by === null ? "the hub's own terminal" : "a pairing code") + here;
    const inviter = pairingGrant.by === null ? undefined : this.devices.find(pairingGrant.by);
    // The device that made the code was revoked just now, so its code is void.
    if (pairingGrant.by !== null && !inviter) return null;
    const by = inviter ? { name: inviter.name, device: inviter.id } : null;
    // The hub's own machine has its host name, so no device may have that name.
    const machine = pairingGrant.role === "runner" ? [hostname()] : [];
    return this.#withOwnName(name, machine, async (own) => {
      const news = { name: own, role: pairingGrant.role, by, how, publicKey };
      const added = await unlessRevoked(this.devices.add(news));
      await this.keepAuditHead();
      return added ? this.devices.view(added.row, true) : null;
    });
  }

  /** Makes a bearer token for a program, under a unique name. */
  async addToken(news: NewToken): Promise<{ token: string; device: DeviceView }> {
    const maker = news.by?.device;
    if (maker !== undefined && !this.devices.find(maker)) throw revokedMakerRefusal();
    return this.#withOwnName(news.name, [], async (name) => {
      const added = await unlessRevoked(this.devices.addToken({ ...news, name }));
      if (!added) throw revokedMakerRefusal();
      await this.keepAuditHead();
      return { token: added.token, device: this.devices.view(added.row, false) };
    });
  }

  /** Reserves a unique name until the device is stored. */
  async #withOwnName<Made>(
    name: string,
    alsoTaken: readonly string[],
    add: (own: string) => Promise<Made>,
  ): Promise<Made> {
    const taken = [...this.devices.list().map((row) => row.name), ...this.#coming, ...alsoTaken];
    const own = makeDistinctName(name, taken);
    this.#coming.add(own);
    try {
      return await add(own);
    } finally {
      this.#coming.delete(own);
    }
  }

  /** The role that a pairing code grants; undefined: the code is not valid. */
  pairsAs(code: string): AnyRole | undefined {
    return this.#codes.peek(code);
  }

  /**
   * Revokes a device and those that were paired from it, because a thief may have made them. The calling
   * device itself stays. A device that removes itself takes no others along, except that a program's token
   * does. All are revoked before the first is stored, so that none of them can let in another one meanwhile.
   */
  async revoke(device: string, by: Actor): Promise<void> {
    const { audited } = this.devices;
    const leavesAlone = device === by.device && !audited.isProgram(device);
    const paired = leavesAlone ? [] : audited.descendants(device);
    const also = paired.filter((id) => id !== by.device);
    await Promise.all([device, ...also].map((id) => this.devices.revoke(id, by)));
    await this.keepAuditHead();
  }

  ticket(holder: Person, delegation?: Delegation): string {
    if (delegation) this.#checkDelegation(holder, delegation);
    return this.#tickets.make(delegation ? { ...holder, delegation } : holder);
  }

  redeemTicket(ticket: string): Person | undefined {
    const holder = this.#tickets.redeem(ticket);
    return holder && this.stillHolds(holder) ? holder : undefined;
  }

  /** Confirms a terminal: an approver's device signs the terminal's key, which lets the terminal approve. */
  verifyConfirmation(elevation: string, who: Person, signature: string | undefined): Confirmation {
    const { device } = who.actor;
    const key = this.devices.find(device)?.publicKey ?? "";
    if (signature !== undefined && this.elevations.isSignedBy(elevation, key, signature)) {
      return { device, signature };
    }
    const detail =
      "Confirming a terminal needs this device's signature of the terminal's key. Reload the page, or update the program.";
    throw new HubRefusal(
      403,
      signature === undefined ? "signature-needed" : "wrong-signature",
      detail,
    );
  }

  /** Checks a device's own signature of its decision. */
  verifyDecision(
    who: Person,
    ask: { readonly id: string; readonly hash: string },
    decision: HubDecision,
    signature: string | undefined,
  ): SignedDecision {
    return this.#verifySigned(who, decisionText(ask.id, ask.hash, decision), signature);
  }

  /** Checks a device's own signature of a grant of trust. */
  verifyTrustGrant(who: Person, grant: TrustGrant): SignedDecision {
    return this.#verifySigned(who, trustText(grant), grant.signature);
  }

  #verifySigned(who: Person, text: string, signature: string | undefined): SignedDecision {
    const by = who.elevation ?? who.actor.device;
    const key = this.#findKey(by);
    if (signature !== undefined && key !== undefined && verifySignature(key, text, signature)) {
      return { by, signature };
    }
    throw new HubRefusal(
      403,
      signature === undefined ? "signature-needed" : "wrong-signature",
      "This decision is not signed with the key of the device that made it. Reload the page, or update the program.",
    );
  }

  /** The hub's own signature for a client that cannot sign, by delegation of its approver. */
  signByDelegation(
    who: Person,
    ask: { readonly id: string; readonly hash: string; readonly session: string },
    decision: HubDecision,
  ): SignedDecision | undefined {
    const { delegation } = who;
    if (delegation?.session !== ask.session || delegation.expiresAt <= this.#now())
      return undefined;
    const { delegate } = this.identity;
    return {
      by: who.actor.device,
      signature: delegate.sign(decisionText(ask.id, ask.hash, decision)),
      delegation: { ...delegation, publicKey: delegate.publicKey },
    };
  }

  /** The keys whose signed decisions count, for runners. */
  approvers(): StoredApproverKey[] {
    const devices = this.devices.list().flatMap(({ id, role, publicKey }) => {
      return publicKey !== null && role !== "runner" && isRoleAtLeast(role, "approver")
        ? [{ id, publicKey }]
        : [];
    });
    return [...devices, ...this.elevations.listConfirmed()];
  }

  onApprovers(listener: () => void): () => void {
    this.#approversChanged.add(listener);
    return () => this.#approversChanged.delete(listener);
  }

  onElevations(listener: () => void): () => void {
    this.#elevationsChanged.add(listener);
    return () => this.#elevationsChanged.delete(listener);
  }

  /**
   * Deletes the secret that the hub shared with runners of the previous version, once the last of them is
   * gone.
   */
  async #forgetSharedKey(store: Store): Promise<void> {
    if (!this.#mayHaveSharedKey || this.devices.hasOldRunner) return;
    this.#mayHaveSharedKey = false;
    await forgetSharedKey(store);
  }

  #tellApprovers(): void {
    for (const listener of this.#approversChanged) listener();
  }

  #findKey(signer: string): string | undefined {
    return (
      this.elevations.findActive(signer)?.publicKey ??
      this.devices.find(signer)?.publicKey ??
      undefined
    );
  }

  #checkDelegation(holder: Person, { session, expiresAt, signature }: Delegation): void {
    const key = this.#findKey(holder.elevation ?? holder.actor.device);
    const { publicKey } = this.identity.delegate;
    const text = delegationText({ publicKey, session, expiresAt });
    if (key !== undefined && verifySignature(key, text, signature)) return;
    throw new HubRefusal(
      403,
      "wrong-signature",
      "A delegation has to be signed by this device, with the current nonce of the hub.",
    );
  }

  #pairing(role: AnyRole, by: string | null, origin: string): Pairing {
    const { code, expiresAt } = this.#codes.make(role, by);
    return { code, url: `${origin}/#pair=${code}`, expiresAt };
  }
}

/** The refusal for a device that was revoked while its request was being answered. */
export function revokedMakerRefusal(): HubRefusal {
  const detail = "This device was revoked during the request. Pair it again.";
  return new HubRefusal(401, "wrong-credential", detail);
}

/**
 * The credential of a person. An elevated terminal is known by its own name, because all terminals share the
 * command line's device.
 */
function createPersonCredential(
  row: DeviceRow,
  elevation: { id: string; name: string; role: ElevationView["role"] } | undefined,
): Credential | undefined {
  if (row.role === "runner") return undefined;
  const { id: device } = row;
  const actor: Actor = elevation
    ? { device, name: `terminal ${elevation.name}`, role: elevation.role }
    : { device, name: row.name, role: row.role };
  return { kind: "person", actor, elevation: elevation?.id };
}

/**
 * Refuses an elevated terminal. It may answer asks, add machines and, as an admin, change settings, but may
 * not elevate terminals, pair devices or create tokens, which would last longer than the terminal.
 */
export function requireOwnKey(person: Person, what: string): void {
  if (person.program) {
    const detail = `A program's token cannot ${what}. Use a paired device.`;
    throw new HubRefusal(403, "lasting-device-needed", detail);
  }
  if (person.elevation === undefined) return;
  throw new HubRefusal(
    403,
    "lasting-device-needed",
    `A temporarily confirmed terminal cannot ${what}. Use the device that confirmed it.`,
  );
}
