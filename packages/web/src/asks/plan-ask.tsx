import type { AskView, PlanMode } from "@signalbox/api";
import { PanelRight } from "lucide-react";
import { useContext, useState } from "react";
import { planInPanel, showPlanInPanel } from "../frame/plan-in-panel.ts";
import { useSignal } from "../store/signal.ts";
import { useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { AllowButton } from "./allow-button.tsx";
import { readInput } from "./ask-text.ts";
import { Deny } from "./deny.tsx";
import { formatPlanComments } from "./plan-comments.ts";
import { usePlanDraft } from "./plan-draft.ts";
import { defaultPlanMode } from "./plan-mode.ts";
import { PlanModes } from "./plan-modes.tsx";
import { PlanPanelContext } from "./plan-panel-context.ts";
import { PlanView } from "./plan-view.tsx";
import { Remember } from "./remember.tsx";
import { useAnswer } from "./use-answer.ts";

const text = strings.asks;

/** Up to this length a plan is open at once on a small card. */
const SHORT_PLAN = 400;

const denyLabels = {
  open: text.requestChanges,
  placeholder: text.requestChangesPlaceholder,
  plain: text.requestChangesNow,
  withMessage: text.requestChangesNow,
  isRefusal: false,
};

/**
 * A plan to be approved, edited or sent back with comments. Where there is a panel beside the conversation, the
 * plan is read there and this holds the buttons; elsewhere the plan is above them.
 */
export function PlanAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const [remember, setRemember] = useState<readonly number[]>([]);
  const policy = useSession(ask.session)?.policy;
  const [chosen, setMode] = useState<PlanMode>();
  const mode = chosen ?? defaultPlanMode(policy);
  const plan = usePlanDraft(ask);
  const hasPanel = useContext(PlanPanelContext);
  const isInPanel = useSignal(planInPanel) === ask.id;
  const [isOpen, setOpen] = useState(!compact || plan.text.length < SHORT_PLAN);
  const show = hasPanel ? () => showPlanInPanel(ask.id) : () => setOpen(true);
  const isShown = hasPanel ? isInPanel : isOpen;
  const remembered = remember.length > 0 ? { remember: [...remember] } : {};
  const edited = plan.isEdited ? { input: { ...readInput(ask), plan: plan.text } } : {};
  const quoted = [
    formatPlanComments(plan.parts, plan.comments),
    ...(plan.isEdited ? [text.editedPlanMessage(plan.text)] : []),
  ];
  return (
    <div className="flex flex-col gap-2">
      {!isShown && (
        <button type="button" className="button self-start" data-role="review-plan" onClick={show}>
          {hasPanel && <PanelRight aria-hidden="true" />}
          {text.reviewPlan}
        </button>
      )}
      {isShown && !hasPanel && (
        <PlanView ask={ask} className="plan-inline ask-text ask-words flex flex-col gap-2" />
      )}
      <Remember ask={ask} chosen={remember} onChange={setRemember} />
      <Deny
        ask={ask.id}
        session={ask.session}
        disabled={busy}
        labels={denyLabels}
        canStop={false}
        quoted={quoted.filter(Boolean).join("\n\n")}
        answer={answer}
      >
        <PlanModes ask={ask} policy={policy} chosen={mode} onChange={setMode} />
        <AllowButton
          ask={ask}
          disabled={busy || plan.text.trim() === ""}
          {...(!isShown && { onUnfold: show })}
          onAllow={() => answer({ behavior: "allow", mode, ...remembered, ...edited })}
        >
          {plan.isEdited ? text.approveEditedPlan : text.approvePlan}
        </AllowButton>
      </Deny>
    </div>
  );
}
