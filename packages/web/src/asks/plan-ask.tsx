import type { AskView, PlanMode } from "@signalbox/api";
import { lazy, Suspense, useState } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { reorders } from "../text/visible.ts";
import { useSession } from "../store/use-hub.ts";
import { AllowButton } from "./allow-button.tsx";
import { readInput } from "./ask-text.ts";
import { Deny } from "./deny.tsx";
import { getPlanText } from "./plan-text.ts";
import { strings } from "../strings/strings.ts";
import { defaultPlanMode } from "./plan-mode.ts";
import { PlanModes } from "./plan-modes.tsx";
import { Remember } from "./remember.tsx";
import { useAnswer } from "./use-answer.ts";

const Markdown = lazy(async () => ({
  default: (await import("../markdown/markdown.tsx")).Markdown,
}));

const strip = strings.asks;

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
          <Suspense fallback={<PlainText text={text} />}>
            <Markdown text={text} />
          </Suspense>
        )}
      </div>
      {open && (
        <label className="choice text-small text-dim">
          <input type="checkbox" checked={plain} onChange={() => setPlain(!plain)} />
          {mixed ? strip.plainTextMixed : strip.plainText}
        </label>
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
