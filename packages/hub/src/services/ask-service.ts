import type { AgentDecision, AskView, NewAnswer } from "@signalbox/api";
import type { OrderOfKind } from "@signalbox/api/link";
import type { Decision } from "@signalbox/host";
import type { SignedDecision } from "../devices/access-control.ts";
import type { Actor } from "../actor.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";
import { HubRefusal } from "../refusal.ts";
import { createAuditChange } from "../store/audit-change.ts";
import { type Change, type Store, StoreError } from "../store/store.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { refuseModeUnderPolicy } from "../asks/create-ask.ts";
import { type AskRegistry, createCloseChange } from "../asks/ask-registry.ts";
import { getAskFacts, getAnswerFacts } from "../asks/audit-facts.ts";

const timeLimit = { name: "the time limit" };

interface AskServiceOptions {
  readonly store: Store;
  readonly asks: AskRegistry;
  readonly sessions: Sessions;
  /** Whether this runner carries out only decisions that an approver's device has signed. */
  readonly needsSignature: (runner: string) => boolean;
  /**
   * The ids of stored asks that are missing from the audit chain, which means that the hub did not write
   * them.
   */
  readonly unaudited: readonly string[];
}

/**
 * The asks that wait for a person, and how the hub ends them. Each end is stored together with its audit
 * entry and its order.
 */
export class AskService {
  readonly #store: Store;
  readonly #asks: AskRegistry;
  readonly #sessions: Sessions;
  readonly #needsSignature: (runner: string) => boolean;
  readonly unaudited: readonly string[];

  constructor({ store, asks, sessions, needsSignature, unaudited }: AskServiceOptions) {
    this.#store = store;
    this.#asks = asks;
    this.#sessions = sessions;
    this.#needsSignature = needsSignature;
    this.unaudited = unaudited;
  }

  list(): AskView[] {
    return this.#asks.listOpen();
  }

  /** Answers an ask. The first valid answer wins; later ones are refused. */
  async answer(
    id: string,
    answer: NewAnswer,
    by: Actor,
    makeReceipt: MakeReceipt<AskView> = () => [],
    signed?: SignedDecision,
  ): Promise<AskView> {
    const asks = this.#asks;
    const policy = this.#sessions.find(asks.find(id)?.session ?? "")?.row.policy;
    if (policy !== undefined) refuseModeUnderPolicy(policy, answer.decision);
    if (!signed) this.#refuseUnsigned(id, answer);
    const claimed = asks.claim(id, answer, by);
    if (!claimed) throw await asks.explainClosed(id);
    const { ask, decision } = claimed; // nothing may be awaited before the claimed answer is handed to the store
    const order: OrderOfKind<"decide"> = {
      ...createDecideOrder(ask),
      decision: copyDecision(decision),
      by: by.name,
      how: "answered",
      ...(signed && { answer: answer.decision, signed }),
    };
    const facts = { ...getAnswerFacts(ask, answer.decision), ...(signed && { signed }) };
    const entry = createAuditChange("answered", by, ask.session, facts);
    await this.#close(ask, order, [entry, ...makeReceipt(ask)]);
    return ask;
  }

  /** Refuses an unsigned answer. A denial needs no signature, since it lets the agent do nothing. */
  #refuseUnsigned(id: string, { decision }: NewAnswer): void {
    if (decision.behavior === "deny") return;
    const session = this.#sessions.find(this.#asks.find(id)?.session ?? "");
    if (!session || !this.#needsSignature(session.row.runner)) return;
    const detail =
      "Only an approver's device can answer this, because the answer has to be signed. A program needs a ticket with that device's delegation for this session.";
    throw new HubRefusal(403, "signature-needed", detail);
  }

  /** Denies an ask that nobody answered in time, and tells the agent why. */
  async expire(ask: AskView): Promise<void> {
    if (!this.#asks.reserve(ask.id, timeLimit.name)) return;
    const minutes = ((ask.expiresAt ?? ask.openedAt) - ask.openedAt) / 60_000;
    const stop = ask.stopsAtExpiry === true && { stop: true };
    const duration = minutes === 1 ? "a minute" : `${minutes} minutes`;
    const message = `Nobody answered within ${duration}, so this was not allowed.`;
    const order: OrderOfKind<"decide"> = {
      ...createDecideOrder(ask),
      decision: { behavior: "deny", message, ...stop },
      by: timeLimit.name,
      how: "expired",
    };
    const expired: AskView = { ...ask, status: "expired", answeredAt: Date.now() };
    const entry = createAuditChange("expired", timeLimit, ask.session, {
      ...getAskFacts(ask),
      ...stop,
    });
    await this.#close(expired, order, [entry]);
  }

  async #close(
    ask: AskView,
    order: OrderOfKind<"decide">,
    entries: readonly Change[],
  ): Promise<void> {
    const { id } = ask;
    const asks = this.#asks;
    try {
      const session = this.#sessions.get(ask.session);
      const { runner } = session.row;
      const row = { id, session: session.id, runner, json: JSON.stringify(order) };
      session.storedOrders.add(row);
      const changes = [createCloseChange(ask), { kind: "order", row } as const, ...entries];
      await this.#store.commit(changes, session.getFence());
      asks.publish(ask);
      this.#send(session, id, order);
    } catch (failure) {
      asks.release(id);
      this.#sessions.find(ask.session)?.storedOrders.remove(id);
      if (!(failure instanceof StoreError) || failure.why !== "conflict") throw failure;
      await asks.adoptClosed(id);
      throw await asks.explainClosed(id);
    }
  }

  #send(session: Session, id: string, order: OrderOfKind<"decide">): void {
    session.notifyChanged();
    // If the runner is away, the stored order is sent when it reconnects.
    session.link?.sendOrder(id, order).catch(() => {});
  }
}

function createDecideOrder({ session, run, requestId }: AskView) {
  return { kind: "decide" as const, session, run, requestId };
}

/** The decision in the form that the link carries. */
function copyDecision(decision: Decision): AgentDecision {
  switch (decision.behavior) {
    case "allow": {
      const { remember, ...rest } = decision;
      return remember ? { ...rest, remember: [...remember] } : rest;
    }
    case "answer": {
      const answers = Object.entries(decision.answers).map(
        ([question, answer]) =>
          [question, typeof answer === "string" ? answer : [...answer]] as const,
      );
      return { behavior: "answer", answers: Object.fromEntries(answers) };
    }
    default:
      return decision;
  }
}
