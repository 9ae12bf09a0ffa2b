import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/**
 * The kinds of secrets. The prefix of a secret shows its kind, so that a log can hide it wherever it occurs.
 */
type SecretKind = "token" | "ticket" | "relay";
const prefixes = { token: "sbx", ticket: "sbt", relay: "sbr" } as const;

/** A secret of 256 random bits, prefixed with the public id of what it belongs to. */
export function newSecret(kind: SecretKind, id: string): string {
  return `${prefixes[kind]}_${id.replaceAll("-", "")}_${randomBytes(32).toString("base64url")}`;
}

const secretPattern =
  /^(sbx|sbt|sbr)_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/** The kind and id that a secret claims to have; undefined: it is not one of ours. */
export function parseSecret(secret: string): { kind: SecretKind; id: string } | undefined {
  const parts = secretPattern.exec(secret);
  const kind = (Object.keys(prefixes) as SecretKind[]).find((k) => prefixes[k] === parts?.[1]);
  return parts && kind ? { kind, id: parts.slice(2).join("-") } : undefined;
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

const nobody = hashSecret("nobody");

/**
 * Compares a secret with a hash. It takes as long for an unknown secret as for a wrong one, so that timing
 * reveals nothing.
 */
export function matchesHash(secret: string, hash: string | undefined): boolean {
  const same = timingSafeEqual(
    Buffer.from(hashSecret(secret), "hex"),
    Buffer.from(hash ?? nobody, "hex"),
  );
  return same && hash !== undefined;
}

/** Crockford's alphabet, in which no letter is easily mistaken for another. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function randomLetters(count: number): string {
  return Array.from({ length: count }, () => letters[randomInt(letters.length)]).join("");
}

/** Normalizes what a person typed to letters of the alphabet. */
export function readLetters(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}

export function groupByFour(text: string): string {
  return text.match(/.{1,4}/g)?.join("-") ?? text;
}
