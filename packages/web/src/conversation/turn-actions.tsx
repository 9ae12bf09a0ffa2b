import { Copy, GitFork } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";
import { useMayDrive } from "../store/use-hub.ts";
import { type DisplayItemOf, isCut } from "../text/body.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { forkPoint, forkSession } from "./item-actions.ts";

const text = strings.conversation;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly item: DisplayItemOf<"turn-end">;
}

/** Copies the answer of a turn, or forks the session after it. */
export function TurnActions({ session, handle, item }: Props) {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const answer = useWatchValue(handle, () => handle.tree.findAnswer(item.id));
  const point = forkPoint(item);
  const copy = async () => {
    if (answer === undefined) return;
    const parts = await Promise.all(
      answer.map(async (part) => (isCut(part) ? (await app.client.blob(part.$blob)).text() : part)),
    );
    await navigator.clipboard.writeText(parts.join("\n\n"));
    app.toasts.show(text.copied);
  };
  const tryCopy = () =>
    copy().catch((failure: unknown) => app.toasts.showError(text.couldNotCopy, failure));
  return (
    <span className="turn-actions">
      {answer !== undefined && answer.length > 0 && (
        <IconButton icon={Copy} label={text.copyAnswer} onClick={() => void tryCopy()} />
      )}
      {mayDrive && point && (
        <IconButton
          icon={GitFork}
          label={text.fork}
          onClick={() => void forkSession(app, session, point)}
        />
      )}
    </span>
  );
}
