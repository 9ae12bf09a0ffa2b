import type { HubDecision } from "@signalbox/api";
import {
  decisionText,
  delegationText,
  elevationText,
  terminalInputText,
  trustText,
} from "@signalbox/api/proof";
import { verifySignature } from "../link/keys.ts";
import type { OrderOfKind, FrameToRunner } from "@signalbox/api/link";

type ApproverKey = Extract<FrameToRunner, { type: "approvers" }>["keys"][number];
type Signed = NonNullable<OrderOfKind<"decide">["signed"]>;

/**
 * The keys of approvers, which the hub sends over the link after it has proven its identity. A decision that
 * allows something needs a valid signature by one of them, so that a program that can write the hub's database
 * or impersonate the hub cannot answer asks.
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

  /** Whether an approver signed that the code of this folder may run on this machine. */
  hasSignedTrust(
    trust: { runner: string; folder: string; hash: string },
    signed: { by: string; signature: string },
  ): boolean {
    const key = this.#trustedKey(signed.by);
    return key !== undefined && verifySignature(key, trustText(trust), signed.signature);
  }

  /** Whether an approver typed exactly this into exactly this terminal. */
  hasSignedInput(
    input: Parameters<typeof terminalInputText>[0],
    signed: { by: string; signature: string },
  ): boolean {
    const key = this.#trustedKey(signed.by);
    return key !== undefined && verifySignature(key, terminalInputText(input), signed.signature);
  }

  /** The key of a terminal is only valid with the signature of the device that confirmed it. */
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
