import { Menu } from "@base-ui/react/menu";
import type { Session } from "@signalbox/client";
import type { SessionColour } from "@signalbox/api";
import { useAppContext } from "../store/app-context.tsx";
import { changeSession } from "./change-session.ts";
import { sessionColors } from "../session-info/colors.ts";
import { SessionMark } from "../session-info/session-mark.tsx";

/** The submenu that sets a session's color. */
export function ColorMenu({ session }: { session: Session }) {
  const app = useAppContext();
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className="menu-item">
        <span className="grow">Colour</span>
        <SessionMark colour={session.colour} />
        <span className="text-dim" aria-hidden="true">
          ▸
        </span>
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner className="z-10" sideOffset={4}>
          <Menu.Popup className="menu" aria-label="Colour">
            <Menu.RadioGroup
              value={session.colour}
              onValueChange={(colour: SessionColour) =>
                void changeSession(app, session, { colour })
              }
            >
              {sessionColors.map((colour) => (
                <Menu.RadioItem key={colour} className="menu-item" value={colour} closeOnClick>
                  <SessionMark colour={colour} />
                  <span className="grow">{colour}</span>
                  <Menu.RadioItemIndicator className="text-dim">✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  );
}
