import type { Session } from "@signalbox/client";
import { requestConfirmation } from "../navigation/confirm.ts";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";

const text = strings.sessionOptions;

/** Restarts the agent of a session, after a confirmation if it is working. */
export async function restartSession(
  { client, toasts }: Pick<AppContext, "client" | "toasts">,
  { id, title, summary }: Session,
): Promise<void> {
  if (summary.status === "active") {
    const isConfirmed = await requestConfirmation({
      title: text.restartTitle,
      text: text.restartText,
      confirmLabel: text.restartConfirm,
    });
    if (!isConfirmed) return;
  }
  const restart = async () => {
    await client.stop(id);
    await client.wake(id);
  };
  try {
    await toasts.showWhile(text.restarting(inert(title)), restart());
  } catch (failure) {
    toasts.showError(text.couldNotRestart, failure);
  }
}
