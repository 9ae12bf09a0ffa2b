import type { AskView } from "@signalbox/api";
import { useMemo } from "react";
import { askDraftName, useFormDraft } from "../store/use-form-draft.ts";
import { readInput } from "./ask-text.ts";
import { movePlanComments, type PlanComments, splitPlan } from "./plan-comments.ts";
import { getPlanText, hasPlan } from "./plan-text.ts";

/** The plan as the person changes it. */
interface PlanEdit {
  readonly text: string;
  /** Whether the text field is open. */
  readonly isOpen: boolean;
}

const noComments: PlanComments = {};
const noEdit: PlanEdit | null = null;

/** A plan with what the person did to it so far: shared by the request and the panel that shows the plan. */
export interface PlanDraft {
  /** The plan with the person's changes. */
  readonly text: string;
  /** The parts that can be commented on. */
  readonly parts: readonly string[];
  readonly comments: PlanComments;
  readonly isEditing: boolean;
  /** Whether the text differs from what the agent wrote. */
  readonly isEdited: boolean;
  /** Whether there is a plan that can be edited. */
  readonly canEdit: boolean;
  readonly setComments: (comments: PlanComments) => void;
  readonly edit: (text?: string) => void;
  /** Closes the text field and keeps what was typed. */
  readonly finishEditing: () => void;
  readonly discardEdit: () => void;
}

export function usePlanDraft(ask: AskView): PlanDraft {
  const input = readInput(ask);
  const original = getPlanText(input);
  const [comments, setComments] = useFormDraft<PlanComments>(
    askDraftName(ask.id, "comments"),
    noComments,
  );
  const [edit, setEdit] = useFormDraft<PlanEdit | null>(askDraftName(ask.id, "plan"), noEdit);
  const text = edit?.text ?? original;
  const isEditing = edit?.isOpen ?? false;
  const parts = useMemo(() => splitPlan(text), [text]);
  return {
    text,
    parts,
    comments,
    isEditing,
    isEdited: text !== original,
    canEdit: hasPlan(input),
    setComments,
    edit: (next = text) => {
      setComments(movePlanComments(parts, splitPlan(next), comments));
      setEdit({ text: next, isOpen: true });
    },
    finishEditing: () => setEdit(text === original ? undefined : { text, isOpen: false }),
    discardEdit: () => {
      setComments(movePlanComments(parts, splitPlan(original), comments));
      setEdit(undefined);
    },
  };
}
