import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import { Fragment, type RefObject } from "react";
import { inert } from "../text/visible.ts";
import { useAppContext } from "../store/app-context.tsx";
import { listSessionActions } from "./actions.ts";
import { ColorMenu } from "./color-menu.tsx";

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
          <Menu.Popup className="menu" aria-label={`What to do with ${inert(session.title)}`}>
            {listSessionActions(session, app).map(({ id, label, isDestructive, run }) => (
              <Fragment key={id}>
                <Menu.Item
                  className={`menu-item ${isDestructive ? "text-failed" : ""}`}
                  onClick={run}
                >
                  {label}
                </Menu.Item>
                {id === "rename" && <ColorMenu session={session} />}
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
