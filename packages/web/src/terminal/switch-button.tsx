import { isBusy, type Session } from "@signalbox/client";
import { MessageSquare, Terminal, X } from "lucide-react";
import { useAppContext } from "../store/app-context.tsx";
import { useBoard, useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import { cancelSwitch, findTerminalAbility, switchView } from "./agent-terminal.ts";

const text = strings.terminals;

/** Moves a session between chat and the agent's own terminal. */
export function SwitchButton({ session }: { session: Session }) {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const runners = useBoard((view) => view.runners);
  const { view, isPossible } = findTerminalAbility({ runners }, session);
  if (!isPossible || !mayDrive) return null;
  const to = view === "chat" ? "terminal" : "chat";
  if (session.switchingTo !== undefined) {
    return (
      <button
        type="button"
        className="button button-small shrink-0"
        data-role="cancel-switch"
        data-tip={text.cancelMove}
        onClick={() => void cancelSwitch(session, view, app)}
      >
        <span className="max-md:hidden">{text.movesLater[to]}</span>
        <X aria-label={text.cancelMove} />
      </button>
    );
  }
  const Icon = to === "terminal" ? Terminal : MessageSquare;
  const content = (
    <>
      <Icon aria-hidden="true" />
      <span className="max-md:sr-only">{text.move[to]}</span>
    </>
  );
  const button = {
    className: "button button-small shrink-0",
    "data-role": "switch-view",
    "data-tip": text.moveHint[to],
  };
  if (!isBusy(session)) {
    return (
      <button
        type="button"
        {...button}
        onClick={() => void switchView(session, to, undefined, app)}
      >
        {content}
      </button>
    );
  }
  const menu = {
    label: text.move[to],
    entries: [
      { key: "wait", content: text.afterTurn, role: "switch-after-turn" },
      { key: "interrupt", content: text.interruptTurn, role: "switch-now" },
    ],
    align: "end" as const,
    onSelect: (key: string) =>
      void switchView(session, to, key === "interrupt" ? "interrupt" : "wait", app),
  };
  return (
    <MenuButton {...button} menu={menu}>
      {content}
    </MenuButton>
  );
}
