import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import { hubProofText, type IdentityProof, identityText } from "@signalbox/api";
import { createSigningKey, readSigningKey, type SigningKey } from "@signalbox/runner/keys";
import * as z from "zod";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "../data/private-file.ts";
import type { AuditSigning, Store } from "../store/store.ts";

/** Who this hub is, over restarts: its id, and the key pair with which it shows that it is the one. */
export interface Identity {
  readonly hub: string;
  readonly key: SigningKey;
  /** A key of this process alone, to which approvers' devices delegate the answers of SDK clients. */
  readonly delegate: SigningKey;
  /**
   * The secret that hubs and runners of the version before shared. A runner that lives on over the upgrade
   * asks for a proof by it; it is forgotten when no such runner is left.
   */
  readonly sharedKey: string | undefined;
  /** The audit entry with which this hub began to sign them; undefined: it has not yet. */
  readonly auditStart: AuditSigning["from"] | undefined;
}

/** The setting that holds it. */
export const SHARED_KEY = "hub-key";

/** Nobody is left who was given the secret of before: it is overwritten, in the write-ahead log too. */
export async function forgetSharedKey(store: Store): Promise<void> {
  if ((await store.setting(SHARED_KEY)) === undefined) return;
  await store.commit([{ kind: "setting-gone", key: SHARED_KEY }]).catch(() => {}); // the next start tries again
}

/** The private key's file in the data folder. Whoever reads it can pass for this hub. */
export const IDENTITY_FILE = "identity.json";
const identityFile = z.object({
  hub: z.uuid(),
  privateKey: z.string(),
  auditStart: z.object({ nth: z.int(), hash: z.string() }).optional(),
});

export type StoredIdentity = z.infer<typeof identityFile>;

/** The identity as it is kept in the data folder; undefined: there is none yet. */
export function readStoredIdentity(folder: string): StoredIdentity | undefined {
  const kept = readPrivateFile(join(folder, IDENTITY_FILE));
  return kept === undefined ? undefined : identityFile.parse(JSON.parse(kept));
}

export function readPrivateKey(folder: string): string | undefined {
  return readStoredIdentity(folder)?.privateKey;
}

/** Keeps since when the audit is signed; false: the key itself is not kept either. */
export function storeAuditStart(folder: string, auditStart: AuditSigning["from"]): boolean {
  const path = join(folder, IDENTITY_FILE);
  const kept = readPrivateFile(path);
  if (kept === undefined) return false;
  const identity = identityFile.parse(JSON.parse(kept));
  replacePrivateFile(path, `${JSON.stringify({ ...identity, auditStart })}\n`);
  return true;
}

/** `folder`: where the key is kept; without one, as in tests, it lasts as long as the process. */
export async function openIdentity(store: Store, folder: string | undefined): Promise<Identity> {
  const delegate = createSigningKey();
  const sharedKey = (await store.setting(SHARED_KEY)) || undefined;
  const path = folder === undefined ? undefined : join(folder, IDENTITY_FILE);
  const kept = path === undefined ? undefined : readPrivateFile(path);
  if (kept !== undefined) {
    const { hub, privateKey, auditStart } = identityFile.parse(JSON.parse(kept));
    return { hub, key: readSigningKey(privateKey), delegate, sharedKey, auditStart };
  }
  const hub = (await store.setting("hub-id")) ?? randomUUID();
  const key = createSigningKey();
  try {
    await store.commit([{ kind: "setting", key: "hub-id", value: hub }]);
    if (path) createPrivateFile(path, `${JSON.stringify({ hub, privateKey: key.pkcs8 })}\n`);
  } catch {
    // Where nothing can be stored, this is the hub's identity for this once.
  }
  return { hub, key, delegate, sharedKey, auditStart: undefined };
}

/** Shows a program or device that this is the hub, and gives it a nonce for its own proofs. */
export function proveIdentity(
  identity: Identity,
  { challenge, host, nonce, tokenHash, byShared }: Challenge,
): IdentityProof {
  const { hub, key, delegate, sharedKey } = identity;
  const text = hubProofText({ challenge, host, nonce });
  return {
    hub,
    key: key.publicKey,
    nonce,
    signature: key.sign(text),
    delegate: delegate.publicKey,
    ...(byShared &&
      sharedKey !== undefined && { proof: hmac(sharedKey, identityText(challenge, host)) }),
    ...(tokenHash !== undefined && { knowsToken: hmac(tokenHash, text) }),
  };
}

interface Challenge {
  readonly challenge: string;
  readonly host: string;
  readonly nonce: string;
  /** Of a device that still has a token, and asks whether this hub knows it. */
  readonly tokenHash: string | undefined;
  /** A runner of the version before is still let in. */
  readonly byShared: boolean;
}

function hmac(keyInHex: string, text: string): string {
  return createHmac("sha256", Buffer.from(keyInHex, "hex")).update(text).digest("hex");
}
