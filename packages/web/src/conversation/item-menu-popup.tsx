import { Menu } from "@base-ui/react/menu";
import type { RefObject } from "react";
import type { DisplayItem } from "../text/body.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { ActionItem } from "../session-menu/action-item.tsx";
import { listItemActions } from "./item-actions.ts";

interface Props {
  readonly session: string;
  readonly item: DisplayItem;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onOpenChange: (open: boolean) => void;
}

export default function ItemMenuPopup({ session, item, anchor, onOpenChange }: Props) {
  return (
    <Menu.Root open onOpenChange={onOpenChange}>
      <Menu.Portal>
        <Menu.Positioner className="z-10" anchor={anchor} align="end" sideOffset={4}>
          <Menu.Popup className="menu" aria-label={strings.menus.messageActions}>
            <Entries session={session} item={item} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entries({ session, item }: Pick<Props, "session" | "item">) {
  const actions = listItemActions(item, session, useAppContext());
  if (actions.length === 0) return <p className="menu-item text-dim">{strings.menus.noActions}</p>;
  return actions.map((action) => <ActionItem key={action.id} action={action} />);
}
