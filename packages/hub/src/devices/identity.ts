import { createHmac, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { IdentityProof } from "@signalbox/api";
import { hubProofText } from "@signalbox/api/proof";
import { identityText } from "@signalbox/api/schemas";
import { createSigningKey, readSigningKey, type SigningKey } from "@signalbox/runner/keys";
import * as z from "zod";
import { createPrivateFile, readPrivateFile, replacePrivateFile } from "../data/private-file.ts";
import { readOrAddSetting } from "../store/shared-setting.ts";
import type { AuditSigning, Store } from "../store/store.ts";

/** The hub's identity, which survives restarts: its id, and the key pair with which it proves itself. */
export interface Identity {
  readonly hub: string;
  readonly key: SigningKey;
  /** A key of this process only, to which approvers' devices delegate the answers of SDK clients. */
  readonly delegate: SigningKey;
  /**
   * The secret that hubs shared with runners of the previous version. A runner that lives on over the upgrade
   * asks for a proof with it. It is deleted when no such runner is left.
   */
  readonly sharedKey: string | undefined;
  /** The audit entry with which this hub began to sign; undefined: it has not begun. */
  readonly auditStart: AuditSigning["from"] | undefined;
  /** Whether every message that this hub has stored has a seal. */
  readonly sealsPrompts: boolean;
}

/** The key of the setting that holds the shared secret. */
export const SHARED_KEY = "hub-key";

/**
 * Deletes the shared secret once nobody is left who was given it. It is overwritten in the write-ahead log,
 * too.
 */
export async function forgetSharedKey(store: Store): Promise<void> {
  if ((await store.setting(SHARED_KEY)) === undefined) return;
  await store.commit([{ kind: "setting-gone", key: SHARED_KEY }]).catch(() => {}); // the next start tries again
}

/** The file in the data folder that holds the private key. Whoever reads it can pass for this hub. */
export const IDENTITY_FILE = "identity.json";
const identityFile = z.object({
  hub: z.uuid(),
  privateKey: z.string(),
  auditStart: z.object({ nth: z.int(), hash: z.string() }).optional(),
  sealsPrompts: z.literal(true).optional(),
});

export type StoredIdentity = z.infer<typeof identityFile>;

/** Reads the identity from the data folder; undefined: there is none yet. */
export function readStoredIdentity(folder: string): StoredIdentity | undefined {
  const storedText = readPrivateFile(join(folder, IDENTITY_FILE));
  return storedText === undefined ? undefined : identityFile.parse(JSON.parse(storedText));
}

export function readPrivateKey(folder: string): string | undefined {
  return readStoredIdentity(folder)?.privateKey;
}

/**
 * Stores the entry with which signing of the audit began. Returns false if the key itself is not stored
 * either.
 */
export function storeAuditStart(folder: string, auditStart: AuditSigning["from"]): boolean {
  return updateIdentity(folder, { auditStart });
}

/** Stores that from now on messages without a seal do not count. */
export function storePromptSealing(folder: string): void {
  updateIdentity(folder, { sealsPrompts: true });
}

function updateIdentity(folder: string, changes: Partial<StoredIdentity>): boolean {
  const path = join(folder, IDENTITY_FILE);
  const storedText = readPrivateFile(path);
  if (storedText === undefined) return false;
  const identity = identityFile.parse(JSON.parse(storedText));
  replacePrivateFile(path, `${JSON.stringify({ ...identity, ...changes })}\n`);
  return true;
}

/**
 * Opens the identity. `folder` is where the key is kept; without it, as in tests, the key lasts as long as
 * the process.
 */
export async function openIdentity(store: Store, folder: string | undefined): Promise<Identity> {
  const delegate = createSigningKey();
  const sharedKey = (await store.setting(SHARED_KEY)) || undefined;
  const path = folder === undefined ? undefined : join(folder, IDENTITY_FILE);
  const storedText = path === undefined ? undefined : readPrivateFile(path);
  if (storedText !== undefined) {
    const { hub, privateKey, auditStart, sealsPrompts } = identityFile.parse(
      JSON.parse(storedText),
    );
    const key = readSigningKey(privateKey);
    return { hub, key, delegate, sharedKey, auditStart, sealsPrompts: sealsPrompts === true };
  }
  const hub = await readOrAddSetting(store, "hub-id", randomUUID);
  const key = createSigningKey();
  try {
    if (path && store.health.writable)
      createPrivateFile(path, `${JSON.stringify({ hub, privateKey: key.pkcs8 })}\n`);
  } catch {
    // If nothing can be stored, this identity lasts for this start only.
  }
  return { hub, key, delegate, sharedKey, auditStart: undefined, sealsPrompts: false };
}

/** Proves the hub's identity to a program or device, and gives it a nonce for its own proofs. */
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
  /** The hash of the token of a device that predates keys, which asks whether this hub knows it. */
  readonly tokenHash: string | undefined;
  /** Whether a runner of the previous version is still let in. */
  readonly byShared: boolean;
}

function hmac(keyInHex: string, text: string): string {
  return createHmac("sha256", Buffer.from(keyInHex, "hex")).update(text).digest("hex");
}
