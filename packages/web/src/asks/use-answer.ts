import type { AskView, HubDecision } from "@signalbox/api";
import { useCallback, useContext, useState } from "react";
import { useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { AnswerContext } from "./focus-after-answer.ts";
import { resetSettling } from "../guard/click-guard.ts";

/**
 * Sends a decision about exactly what is shown: the hash identifies the ask as it was received. `busy`: no
 * answer can be sent now.
 */
export function useAnswer(ask: AskView): {
  busy: boolean;
  answer: (decision: HubDecision) => void;
} {
  const { client, toasts } = useAppContext();
  const [sending, setSending] = useState(false);
  const reachable = useReachable();
  const { id, hash, status } = ask;
  const onAnswer = useContext(AnswerContext);
  const answer = useCallback(
    (decision: HubDecision) => {
      const send = async () => {
        const keepFocus = onAnswer();
        setSending(true);
        resetSettling();
        try {
          await client.answer(id, { hash, decision });
        } catch (failure) {
          toasts.showError(strings.asks.couldNotSend, failure);
          keepFocus();
          setSending(false); // Otherwise the card stays disabled until the hub reports that the ask is closed.
        }
      };
      void send();
    },
    [client, toasts, id, hash, onAnswer],
  );
  return { busy: sending || !reachable || status !== "open", answer };
}
