import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import type { RefObject } from "react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { useAppContext } from "../store/app-context.tsx";
import { ActionItem } from "./action-item.tsx";
import { listSessionActions } from "./actions.ts";

interface Props {
  readonly session: Session;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onOpenChange: (open: boolean) => void;
}

export default function SessionMenuPopup({ session, anchor, onOpenChange }: Props) {
  const app = useAppContext();
  return (
    <Menu.Root open onOpenChange={onOpenChange}>
      <Menu.Portal>
        <Menu.Positioner className="z-10" anchor={anchor} align="end" sideOffset={4}>
          <Menu.Popup
            className="menu"
            aria-label={strings.menus.sessionActions(inert(session.title))}
          >
            {listSessionActions(session, app).map((action) => (
              <ActionItem key={action.id} action={action} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
