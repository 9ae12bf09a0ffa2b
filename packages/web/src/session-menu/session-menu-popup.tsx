import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import { Fragment, type RefObject } from "react";
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

/** The actions above which there is a line: those on the agent's process, and those that put the session away. */
const GROUP_STARTS: ReadonlySet<string> = new Set(["park", "wake", "archive"]);

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
              <Fragment key={action.id}>
                {GROUP_STARTS.has(action.id) && <Menu.Separator className="menu-separator" />}
                <ActionItem action={action} />
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
