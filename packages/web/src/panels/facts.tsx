import { Check } from "lucide-react";
import type { Session } from "@signalbox/client";
import { Facts, type Fact } from "../items/parts/facts.tsx";
import { formatNumber, formatDollars, formatDateTime } from "../text/format.ts";
import { useAbilities } from "../session-info/use-abilities.ts";
import { SessionOptionsSection } from "../session-options/session-options-section.tsx";
import { useBoard, useMayDrive } from "../store/use-hub.ts";
import { describeBilling } from "./billing.ts";
import { PermissionPicker } from "../session-info/permission-picker.tsx";
import { describeDriver } from "../session-info/drivers.ts";
import { describeRunEnd } from "../session-info/describe-run-end.ts";
import { strings } from "../strings/strings.ts";

const text = strings.panels.info;

/** Facts about the session: its program, ids and figures. */
export function FactsPanel({ session }: { session: Session }) {
  const runner = useBoard((view) => view.runners.find(({ id }) => id === session.runner));
  const { summary, run } = session;
  const { account } = useAbilities(session);
  const mayDrive = useMayDrive();
  const facts: readonly Fact[] = [
    [text.folder, session.folder],
    [text.worktree, session.options.worktree],
    [text.machine, runner?.machine],
    [text.agent, session.agent],
    [text.driver, describeDriver(session)],
    [text.version, run ? `${run.version} (${run.versionClass})` : summary.version],
    [text.program, run?.path],
    [text.process, session.state],
    [text.activity, summary.shown && text.activityFrom[summary.shown.source]],
    [text.ended, describeRunEnd(session.runEnd)],
    [text.isolation, describeIsolation(run?.isolation)],
    [text.model, summary.model],
    [text.mode, summary.mode],
    [text.effort, session.options.effort],
    [text.turns, formatNumber(summary.turns)],
    [text.tokensIn, formatNumber(summary.inputTokens)],
    [text.tokensOut, formatNumber(summary.outputTokens)],
    [text.billing, describeBilling(account)],
    [text.cost, formatDollars(summary.costUsd)],
    [text.created, formatDateTime(session.createdAt)],
    [text.session, session.id],
    [text.conversation, summary.sessionId],
    [text.forkOf, session.forkOf],
  ];
  return (
    <div className="flex flex-col gap-4 text-small">
      <div className="flex items-center gap-2">
        <span className="text-dim">{text.permission}</span>
        <PermissionPicker session={session} />
      </div>
      <Facts facts={facts} />
      {mayDrive && session.driver !== "relay" && <SessionOptionsSection session={session} />}
      {run && run.leftOut.length > 0 && (
        <section>
          <h3 className="font-semibold">{text.unsupported}</h3>
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
          <h3 className="font-semibold">{text.capabilities}</h3>
          <ul className="mt-1 flex flex-col gap-1 text-dim">
            {Object.entries(run.capabilities)
              .filter(([, can]) => can)
              .map(([name]) => (
                <li key={name} className="flex gap-2" data-capability={name}>
                  <Check aria-hidden="true" className="mt-0.5 size-3.5! shrink-0" />
                  {text.capability[name] ?? name}
                </li>
              ))}
          </ul>
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
  if (!isolated) return text.notIsolated(why ?? text.notRequested);
  return text.isolated(by ?? text.theSystem, profile === "default" ? undefined : profile);
}
