import { useEffect, useRef, useState } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { inert } from "../text/visible.ts";
import { useSignal } from "../store/signal.ts";
import { pendingConfirmation } from "../navigation/confirm.ts";
import { Modal } from "./modal.tsx";
import { strings } from "../strings/strings.ts";

/** The open confirmation, if any. The cancel button has the focus. */
export default function ConfirmDialog() {
  const asked = useSignal(pendingConfirmation);
  const out = useRef<HTMLButtonElement>(null);
  const exactLabel = useResolved(asked?.exactLabel);
  if (!asked) return null;
  const { title, text, confirmLabel, answer } = asked;
  return (
    <Modal title={inert(title)} first={out} onClose={() => answer(false)}>
      <div className="flex flex-col gap-4 p-4" data-role="confirm">
        <p className="wrap-anywhere whitespace-pre-line">{inert(text)}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <button ref={out} type="button" className="button" onClick={() => answer(false)}>
            {strings.parts.cancel}
          </button>
          <ConfirmButton label={exactLabel ?? confirmLabel} onYes={() => answer(true)} />
        </div>
      </div>
    </Modal>
  );
}

/**
 * The confirming button is guarded like Allow (C16), so that a double click that opens the dialog does not
 * confirm it.
 */
function ConfirmButton({ label, onYes }: { label: string; onYes: () => void }) {
  return (
    <AnswerButton of={label} look="button-danger" role="confirm-yes" onPress={onYes}>
      {inert(label)}
    </AnswerButton>
  );
}

/** The value of a promise; undefined until it resolves, and if it fails. */
function useResolved(promise: Promise<string> | undefined): string | undefined {
  const [settled, setSettled] = useState<{ of: Promise<string>; value: string }>();
  useEffect(() => {
    promise?.then((value) => setSettled({ of: promise, value })).catch(() => undefined);
  }, [promise]);
  return settled && settled.of === promise ? settled.value : undefined;
}
