import type { Session } from "@signalbox/client";
import { Terminal } from "lucide-react";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useBoard, useMayDrive } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { findTerminalAbility } from "./agent-terminal.ts";
import { SwitchButton } from "./switch-button.tsx";

const text = strings.terminals;

/** What is shown in place of the agent's own terminal while there is none. */
export function TerminalOffer({ session }: { session: Session }) {
  const mayDrive = useMayDrive();
  const runners = useBoard((view) => view.runners);
  const { view } = findTerminalAbility({ runners }, session);
  const isStarting = view === "terminal" && session.state === "starting";
  const explanation = view === "chat" ? text.offer : text.notRunning;
  return (
    <div className="terminal-offer" data-role="terminal-offer">
      <Terminal aria-hidden="true" className="size-6! text-dim" />
      <p className="max-w-110 text-center text-dim">{isStarting ? text.starting : explanation}</p>
      {view === "chat" && mayDrive && <SwitchButton session={session} />}
      <Link href={sessionPath(session.id)} className="link">
        {text.backToChat}
      </Link>
    </div>
  );
}
