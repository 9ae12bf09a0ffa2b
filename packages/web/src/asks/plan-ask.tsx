import type { AskView, PlanMode } from "@signalbox/api";
import { Maximize2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { Modal } from "../ui/modal.tsx";
import { PlainText } from "../text/plain-text.tsx";
import { reorders } from "../text/visible.ts";
import { useSession } from "../store/use-hub.ts";
import { AllowButton } from "./allow-button.tsx";
import { readInput } from "./ask-text.ts";
import { Deny } from "./deny.tsx";
import { getPlanText } from "./plan-text.ts";
import { strings } from "../strings/strings.ts";
import { defaultPlanMode } from "./plan-mode.ts";
import {
  countComments,
  formatPlanComments,
  type PlanComments,
  splitPlan,
} from "./plan-comments.ts";
import { PlanModes } from "./plan-modes.tsx";
import { Remember } from "./remember.tsx";
import { useAnswer } from "./use-answer.ts";

const PlanReader = lazy(() => import("./plan-reader.tsx"));

const strip = strings.asks;
const noComments: PlanComments = {};

const denyLabels = {
  open: strip.requestChanges,
  placeholder: strip.requestChangesPlaceholder,
  plain: strip.requestChangesNow,
  withMessage: strip.requestChangesNow,
};

/** A plan as rendered Markdown, to be approved or sent back with comments. */
export function PlanAsk({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { busy, answer } = useAnswer(ask);
  const [remember, setRemember] = useState<readonly number[]>([]);
  const policy = useSession(ask.session)?.policy;
  const [chosen, setMode] = useState<PlanMode>();
  const mode = chosen ?? defaultPlanMode(policy);
  const text = getPlanText(readInput(ask));
  const mixed = reorders(text);
  const [plain, setPlain] = useState(mixed);
  const [open, setOpen] = useState(!compact || text.length < 400);
  const [comments, setComments] = useFormDraft<PlanComments>(
    askDraftName(ask.id, "comments"),
    noComments,
  );
  const parts = useMemo(() => splitPlan(text), [text]);
  const [isWide, setWide] = useState(false);
  const commented = countComments(comments);
  const reader = (
    <Suspense fallback={<PlainText text={text} />}>
      <PlanReader parts={parts} comments={comments} onChange={setComments} />
    </Suspense>
  );
  const remembered = remember.length > 0 ? { remember: [...remember] } : {};
  return (
    <div className="flex flex-col gap-2">
      <div className="ask-text ask-words bg-ground">
        {!open ? (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {strip.reviewPlan}
          </button>
        ) : plain ? (
          <PlainText text={text} />
        ) : (
          reader
        )}
      </div>
      {isWide && (
        <Modal title={strip.plan} isWide onClose={() => setWide(false)}>
          <div className="overflow-y-auto px-6 py-4">{reader}</div>
        </Modal>
      )}
      {open && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {!plain && (
            <button
              type="button"
              className="button button-small"
              data-role="plan-wide"
              onClick={() => setWide(true)}
            >
              <Maximize2 aria-hidden="true" />
              {strip.openFullWidth}
            </button>
          )}
          <label className="choice text-small text-dim">
            <input type="checkbox" checked={plain} onChange={() => setPlain(!plain)} />
            {mixed ? strip.plainTextMixed : strip.plainText}
          </label>
          <span className="ml-auto text-small text-dim" role="status">
            {commented > 0 && strip.comments(commented)}
          </span>
        </div>
      )}
      <PlanModes ask={ask} policy={policy} chosen={mode} onChange={setMode} />
      <Remember ask={ask} chosen={remember} onChange={setRemember} />
      <Deny
        ask={ask.id}
        session={ask.session}
        disabled={busy}
        labels={denyLabels}
        canStop={false}
        canUseComposer={!compact}
        quoted={formatPlanComments(parts, comments)}
        answer={answer}
      >
        <AllowButton
          ask={ask}
          disabled={busy}
          {...(!open && { folded: () => setOpen(true) })}
          onAllow={() => answer({ behavior: "allow", mode, ...remembered })}
        >
          {strip.approvePlan}
        </AllowButton>
      </Deny>
    </div>
  );
}
