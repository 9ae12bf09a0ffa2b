import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import { Fragment, type RefObject } from "react";
import { inert } from "../text/visible.ts";
import { useWorld } from "../store/app-context.tsx";
import { actionsOf } from "./actions.ts";
import { ColourMenu } from "./color-menu.tsx";

interface Props {
  readonly session: Session;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onOpenChange: (open: boolean) => void;
}

/** The menu of a session, when it is open. */
export default function SessionMenuPopup({ session, anchor, onOpenChange }: Props) {
  const world = useWorld();
  return (
    <Menu.Root open onOpenChange={onOpenChange}>
      <Menu.Portal>
        <Menu.Positioner className="z-10" anchor={anchor} align="end" sideOffset={4}>
          <Menu.Popup className="menu" aria-label={`What to do with ${inert(session.title)}`}>
            {actionsOf(session, world).map(({ id, words, ends, run }) => (
              <Fragment key={id}>
                <Menu.Item className={`menu-item ${ends ? "text-failed" : ""}`} onClick={run}>
                  {words}
                </Menu.Item>
                {id === "rename" && <ColourMenu session={session} />}
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
