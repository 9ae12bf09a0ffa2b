import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import { Fragment } from "react";
import { useMayDrive } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";
import { actionsOf } from "./actions.ts";
import { ColourMenu } from "./colour-menu.tsx";

/** What can be done with a session. */
export function SessionMenu({ session }: { session: Session }) {
  const world = useWorld();
  if (!useMayDrive()) return null;
  return (
    <Menu.Root>
      <Menu.Trigger
        className="button button-bare relative z-1 shrink-0 text-dim"
        aria-label={`What to do with ${session.title}`}
      >
        ⋯
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-10" align="end" sideOffset={4}>
          <Menu.Popup className="menu">
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
