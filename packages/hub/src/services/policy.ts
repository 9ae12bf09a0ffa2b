import type { PolicyName } from "@signalbox/api";
import { HubRefusal } from "../refusal.ts";
import { type RunnerLink, createRunnerAwayRefusal } from "../link/runner-link.ts";
import { isLooser } from "../policy-order.ts";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import type { Change } from "../store/store.ts";
import type { Session } from "../session/session.ts";

const BYPASS_MINUTES = 8 * 60;

/**
 * Requires an explicit confirmation for a policy that asks nobody, through whatever route it is requested.
 */
export function requireConfirmation(
  policy: PolicyName | undefined,
  confirmed: true | undefined,
): void {
  if (policy !== "autonomous" || confirmed) return;
  const detail =
    'Under the policy "autonomous" the agent asks for nothing and runs what it likes as you. Ask the person first; if that is wanted, send the same again with "confirmed": true.';
  throw new HubRefusal(422, "confirmation-needed", detail);
}

/** Refuses a time limit with a policy that has none: the sender must have made a mistake. */
export function requireBypassPolicy(
  policy: PolicyName | undefined,
  minutes: number | undefined,
): void {
  if (minutes === undefined || policy === "autonomous") return;
  const detail =
    'bypassMinutes says how long the policy "autonomous" holds: send it together with that policy. Nothing was changed.';
  throw new HubRefusal(422, "no-bypass", detail);
}

export function getBypassEnd(
  policy: PolicyName,
  minutes: number | undefined,
  now: number,
): number | null {
  return policy === "autonomous" ? now + (minutes ?? BYPASS_MINUTES) * 60_000 : null;
}

export async function setPolicy(
  session: Session,
  policy: PolicyName,
  minutes: number | undefined,
  by: AuditActor,
): Promise<void> {
  if (policy === "autonomous") await startBypass(session, minutes, by);
  else await setAskingPolicy(session, policy, by);
}

/**
 * Starts a bypass. It is stored together with its end before the agent gets it; if the agent refuses, the
 * policy of before is restored.
 */
async function startBypass(
  session: Session,
  minutes: number | undefined,
  by: AuditActor,
): Promise<void> {
  const { alive, link } = session;
  if (alive && !link) throw createRunnerAwayRefusal();
  const { policy: before, bypassUntil: beforeUntil } = session.row;
  const until = getBypassEnd("autonomous", minutes, session.clocks.now());
  await session.write({ policy: "autonomous", bypassUntil: until }, [
    auditPolicyChange(session, before, "autonomous", by, until, { confirmed: true }),
  ]);
  try {
    await sendPolicy(session, link, crypto.randomUUID(), "autonomous");
  } catch (why) {
    await session.write({ policy: before, bypassUntil: beforeUntil }, [
      auditPolicyChange(session, "autonomous", before, refusedByAgent, null),
    ]);
    throw why;
  }
}

const refusedByAgent = { name: "the hub: the agent refused it" };

/**
 * Sets a policy that asks a person. A stricter policy waits in the store until the agent has it, even while
 * its runner is away. If the agent refuses it, the session shows the policy that the run really has, which is
 * no longer one that is looser than `default` if that can be helped.
 */
async function setAskingPolicy(
  session: Session,
  policy: PolicyName,
  by: AuditActor,
): Promise<void> {
  const { alive, link, row } = session;
  const { policy: before, bypassUntil } = row;
  const id = crypto.randomUUID();
  const order = { kind: "policy", session: session.id, run: row.run ?? "", policy } as const;
  const orderRow = { id, session: session.id, runner: row.runner, json: JSON.stringify(order) };
  if (alive) session.storedOrders.add(orderRow);
  await session.write({ policy, bypassUntil: null }, [
    auditPolicyChange(session, before, policy, by, null),
    ...(alive ? [{ kind: "order", row: orderRow } as const] : []),
  ]);
  try {
    await sendPolicy(session, link, id, policy);
  } catch (why) {
    if (!(why instanceof HubRefusal)) throw why;
    if (why.code === "runner-away") return;
    await session.write({ policy: before, bypassUntil }, [
      auditPolicyChange(session, policy, before, refusedByAgent, bypassUntil),
    ]);
    if (policy !== "default" && isLooser(before, "default")) {
      await setAskingPolicy(session, "default", by).catch(() => {}); // the first refusal is the one to be told
    }
    throw why;
  }
}

/**
 * The agent has refused a policy that was ordered while its runner was away. A run that cannot ask about
 * every call asks as under `default` at least.
 */
export async function onPolicyRefused(session: Session, policy: PolicyName): Promise<void> {
  if (policy !== "supervised" || session.row.policy !== policy) return;
  await session.write({ policy: "default" }, [
    auditPolicyChange(session, policy, "default", refusedByAgent, null),
  ]);
}

async function sendPolicy(
  session: Session,
  link: RunnerLink | undefined,
  id: string,
  policy: PolicyName,
): Promise<void> {
  const { run } = session.row;
  if (!session.alive || run === null || !link) return;
  try {
    await link.sendOrder(id, { kind: "policy", session: session.id, run, policy });
  } catch (why) {
    // The run has ended; the next one starts with the policy.
    if (!(why instanceof HubRefusal) || why.code !== "not-running") throw why;
  }
}

function auditPolicyChange(
  session: Session,
  from: PolicyName,
  to: PolicyName,
  by: AuditActor,
  until: number | null,
  more: { confirmed?: true } = {},
): Change {
  return createAuditChange("policy-changed", by, session.id, { from, to, until, ...more });
}
