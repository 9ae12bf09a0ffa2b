import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { deviceKeyText, readDeviceKey } from "@signalbox/api/proof";

/** Signatures are r‖s, the format of WebCrypto. */
const dsaEncoding = "ieee-p1363";

/** A P-256 private key in memory, with its public key. */
export interface SigningKey {
  readonly publicKey: string;
  sign(text: string): string;
  /** PKCS #8 in base64url, for a private file. */
  readonly pkcs8: string;
}

export function createSigningKey(): SigningKey {
  return toSigningKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
}

export function readSigningKey(pkcs8: string): SigningKey {
  const key = createPrivateKey({
    key: Buffer.from(pkcs8, "base64url"),
    format: "der",
    type: "pkcs8",
  });
  return toSigningKey(key);
}

function toSigningKey(key: KeyObject): SigningKey {
  const publicKey = createPublicKey(key)
    .export({ format: "der", type: "spki" })
    .toString("base64url");
  return {
    publicKey,
    sign: (text) => sign("sha256", Buffer.from(text), { key, dsaEncoding }).toString("base64url"),
    pkcs8: key.export({ format: "der", type: "pkcs8" }).toString("base64url"),
  };
}

/** Returns false for an invalid key or signature as well. */
export function verifySignature(publicKey: string, text: string, signature: string): boolean {
  return createSignatureVerifier(publicKey)(text, signature);
}

/** Verifies many signatures with one key, which is parsed once. */
export function createSignatureVerifier(
  publicKey: string,
): (text: string, signature: string) => boolean {
  let key: KeyObject;
  try {
    const bytes = Buffer.from(publicKey, "base64url");
    key = createPublicKey({ key: bytes, format: "der", type: "spki" });
  } catch {
    return () => false;
  }
  return (text, signature) => {
    try {
      const bytes = Buffer.from(signature, "base64url");
      return verify("sha256", Buffer.from(text), { key, dsaEncoding }, bytes);
    } catch {
      return false;
    }
  };
}

/** The private key of a device, with the text that programs store in a file. */
export interface DeviceSigningKey extends SigningKey {
  readonly device: string;
  readonly text: string;
}

export function createDeviceSigningKey(
  device: string,
  key: SigningKey = createSigningKey(),
): DeviceSigningKey {
  return { ...key, device, text: deviceKeyText(device, key.pkcs8) };
}

/** Undefined if the text is not the key of a device. */
export function readDeviceSigningKey(text: string): DeviceSigningKey | undefined {
  const read = readDeviceKey(text.trim());
  if (!read) return undefined;
  try {
    return createDeviceSigningKey(read.device, readSigningKey(read.pkcs8));
  } catch {
    return undefined;
  }
}
