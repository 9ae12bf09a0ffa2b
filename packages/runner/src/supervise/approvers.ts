import {
  decisionText,
  delegationText,
  elevationText,
  type HubDecision,
  trustText,
} from "@signalbox/api";
import { verifySignature } from "../link/keys.ts";
import type { OrderOfKind, ToRunner } from "@signalbox/api/link";

type ApproverKey = Extract<ToRunner, { type: "approvers" }>["keys"][number];
type Signed = NonNullable<OrderOfKind<"decide">["signed"]>;

/**
 * The keys whose decisions count, as the hub has told them over the link on which it proved itself. A
 * decision that lets an agent do something is carried out only with a valid signature by one of them, so
 * that whoever could write the hub's database, or speak in its place, still cannot answer an ask.
 */
export class Approvers {
  readonly #keys = new Map<string, ApproverKey>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  set(keys: readonly ApproverKey[]): void {
    this.#keys.clear();
    for (const key of keys) this.#keys.set(key.id, key);
  }

  /** Whether an approver signed exactly this decision about exactly this ask. */
  hasSigned(
    ask: { id: string; hash: string; session: string },
    decision: HubDecision,
    signed: Signed,
  ): boolean {
    const key = this.#trustedKey(signed.by);
    if (key === undefined) return false;
    const text = decisionText(ask.id, ask.hash, decision);
    const { delegation } = signed;
    if (!delegation) return verifySignature(key, text, signed.signature);
    return (
      delegation.session === ask.session &&
      delegation.expiresAt > this.#now() &&
      verifySignature(key, delegationText(delegation), delegation.signature) &&
      verifySignature(delegation.publicKey, text, signed.signature)
    );
  }

  /** Whether an approver signed that what this folder brings may run on this machine. */
  hasSignedTrust(
    trust: { runner: string; folder: string; hash: string },
    signed: { by: string; signature: string },
  ): boolean {
    const key = this.#trustedKey(signed.by);
    return key !== undefined && verifySignature(key, trustText(trust), signed.signature);
  }

  /** A terminal's key counts only with the signature of the device that confirmed it. */
  #trustedKey(id: string): string | undefined {
    const key = this.#keys.get(id);
    if (!key?.confirmedBy) return key?.publicKey;
    const device = this.#keys.get(key.confirmedBy.device);
    if (!device || device.confirmedBy) return undefined;
    const text = elevationText(key.id, key.publicKey);
    return verifySignature(device.publicKey, text, key.confirmedBy.signature)
      ? key.publicKey
      : undefined;
  }
}
