import type { HubIdentity } from "@signalbox/api";
import {
  fromBase64url,
  keyAlgorithm,
  readDeviceKey,
  signatureAlgorithm,
} from "@signalbox/api/proof";

/** The data of a paired device: its private key, and the hub it belongs to. */
export interface DeviceCredential {
  readonly device: string;
  readonly privateKey: CryptoKey;
  /**
   * The hub's public key, stored when the device was paired. Nothing is sent to a server that
   * cannot prove it holds the private one.
   */
  readonly hub: HubIdentity;
}

/** Creates a key pair. A browser stores the private key without letting a page read it. */
export async function generateDeviceKey(): Promise<{ privateKey: CryptoKey; publicKey: string }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(keyAlgorithm, false, [
    "sign",
    "verify",
  ]);
  const spki = await crypto.subtle.exportKey("spki", publicKey);
  return { privateKey, publicKey: toBase64url(new Uint8Array(spki)) };
}

/** Imports a key that a program stores as text in a file (`deviceKeyText`). */
export async function importDeviceKey(text: string): Promise<Omit<DeviceCredential, "hub">> {
  const read = readDeviceKey(text.trim());
  if (!read) throw new TypeError("this is not the key of a device");
  const bytes = fromBase64url(read.pkcs8);
  const privateKey = await crypto.subtle.importKey("pkcs8", bytes, keyAlgorithm, false, ["sign"]);
  return { device: read.device, privateKey };
}

export async function signText(privateKey: CryptoKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const signature = await crypto.subtle.sign(signatureAlgorithm, privateKey, bytes);
  return toBase64url(new Uint8Array(signature));
}

/** SHA-256, in hex. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

export function randomHex(count: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(count)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toBase64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
