import { Copy, History, Pencil } from "lucide-react";
import { memo } from "react";
import { openRewind } from "../navigation/overlays.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import type { DisplayItem } from "../text/body.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { listCopyableTexts } from "./copyable-texts.ts";
import { copyBodies, forkPoint, forkSession, getUuid, isRewindPoint } from "./item-actions.ts";

const text = strings.conversation;

interface Props {
  readonly session: string;
  readonly item: DisplayItem;
}

/**
 * The most frequent actions of a message, beside it while the pointer is over it. The item's menu has them all,
 * so these are left out of the tab order.
 */
export const MessageTools = memo(function MessageTools({ session, item }: Props) {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  if (item.kind !== "prompt" && item.kind !== "text") return null;
  const [copyable] = listCopyableTexts(item);
  const point = mayDrive && item.kind === "prompt" ? forkPoint(item) : undefined;
  return (
    <div className="message-tools" data-role="message-tools">
      {copyable && (
        <IconButton
          icon={Copy}
          label={text.copy}
          tabIndex={-1}
          onClick={() => void copyBodies(app, copyable.bodies)}
        />
      )}
      {point && (
        <IconButton
          icon={Pencil}
          label={text.editAndFork}
          tabIndex={-1}
          onClick={() => void forkSession(app, session, point)}
        />
      )}
      {mayDrive && isRewindPoint(item) && (
        <IconButton
          icon={History}
          label={text.restoreFiles}
          tabIndex={-1}
          onClick={() => openRewind(session, getUuid(item))}
        />
      )}
    </div>
  );
});
