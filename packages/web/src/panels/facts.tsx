import type { Session } from "@signalbox/client";
import { Facts, type Fact } from "../items/parts/facts.tsx";
import { formatNumber, formatDollars, formatDateTime } from "../text/format.ts";
import { useAbilities } from "../session-info/use-abilities.ts";
import { useBoard, useMayDecide } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { describeBilling } from "./billing.ts";
import {
  confirmPolicy,
  policiesUpTo,
  policyNames,
  policyLabels,
} from "../session-info/policies.ts";
import { describeDriver } from "../session-info/drivers.ts";
import { describeRunEnd } from "../session-info/describe-run-end.ts";

/** Facts about the session: its program, ids and figures. */
export function FactsPanel({ session }: { session: Session }) {
  const runner = useBoard((view) => view.runners.find(({ id }) => id === session.runner));
  const { summary, run } = session;
  const { account } = useAbilities(session);
  const facts: readonly Fact[] = [
    ["folder", session.folder],
    ["worktree on", session.options.worktree],
    ["machine", runner?.machine],
    ["agent", session.agent],
    ["driver", describeDriver(session)],
    ["version", run ? `${run.version} (${run.versionClass})` : summary.version],
    ["program", run?.path],
    ["process", session.state],
    ["ended", describeRunEnd(session.runEnd)],
    ["isolated", describeIsolation(run?.isolation)],
    ["model", summary.model],
    ["agent's mode", summary.mode],
    ["effort", session.options.effort],
    ["turns", formatNumber(summary.turns)],
    ["tokens in", formatNumber(summary.inputTokens)],
    ["tokens out", formatNumber(summary.outputTokens)],
    ["billing", describeBilling(account)],
    ["cost", formatDollars(summary.costUsd)],
    ["made", formatDateTime(session.createdAt)],
    ["session", session.id],
    ["conversation", summary.sessionId],
    ["fork of", session.forkOf],
  ];
  return (
    <div className="flex flex-col gap-4 text-small">
      <PolicySelect session={session} />
      <Facts facts={facts} />
      {run && run.leftOut.length > 0 && (
        <section>
          <h3 className="font-semibold">Not used, because this version does not know it</h3>
          <ul>
            {run.leftOut.map(({ option, why }) => (
              <li key={option}>
                <code>{option}</code>: {why}
              </li>
            ))}
          </ul>
        </section>
      )}
      {run && (
        <section>
          <h3 className="font-semibold">Can</h3>
          <p className="text-dim">
            {Object.entries(run.capabilities)
              .filter(([, can]) => can)
              .map(([name]) => name)
              .join(", ")}
          </p>
        </section>
      )}
    </div>
  );
}

/** Describes whether the agent is isolated, and if not, why. */
function describeIsolation(
  isolation: NonNullable<Session["run"]>["isolation"],
): string | undefined {
  if (!isolation) return undefined;
  const { profile, isolated, by, why } = isolation;
  if (!isolated) return `no, because ${why ?? "it was not asked for"}`;
  return `yes, by ${by ?? "the system"}${profile === "default" ? "" : ` (${profile})`}`;
}

function PolicySelect({ session }: { session: Session }) {
  const { client, toasts } = useAppContext();
  const strong = useMayDecide();
  const set = async (policy: (typeof policyNames)[number]) => {
    const confirmation = await confirmPolicy(policy);
    if (!confirmation) return;
    try {
      await client.changeSession(session.id, { policy, ...confirmation });
    } catch (failure) {
      toasts.showError("The policy was not changed", failure);
    }
  };
  return (
    <label className="flex flex-col gap-1">
      <span className="text-dim">Policy: how much it may do without asking</span>
      <select
        className="field"
        value={session.policy}
        onChange={(event) => void set(event.target.value as (typeof policyNames)[number])}
      >
        {(strong ? policyNames : policiesUpTo(session.policy)).map((name) => (
          <option key={name} value={name}>
            {name}: {policyLabels[name]}
          </option>
        ))}
      </select>
      {!strong && (
        <span className="text-dim">
          This device may make it stricter; a looser policy takes a device that approves.
        </span>
      )}
    </label>
  );
}
