import type { NeighborView } from "@signalbox/api";
import { Plug, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "../navigation/link.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { useBoard } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";

const text = strings.overview.relays;
const REFRESH_MS = 5000;

/**
 * Relays of other programs on the hub's machine, which the hub looks for while the overview is seen. One that stops
 * is gone from here without a message.
 */
export function FoundRelays() {
  const { client, toasts } = useAppContext();
  const isRelayOn = useBoard((view) => view.runners.some(({ relay }) => relay === true));
  const [found, setFound] = useState<readonly NeighborView[]>([]);
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      if (document.visibilityState === "hidden") return;
      const neighbors = await client.discover().catch(() => []);
      if (!isOver) setFound(neighbors.filter(isOffered));
    };
    void look();
    const timer = setInterval(() => void look(), REFRESH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client]);
  const attach = async (port: number) => {
    try {
      await client.attachRelay(port);
      setFound((all) => all.filter((each) => each.port !== port));
    } catch (failure) {
      toasts.showError(strings.connect.couldNotChange(port), failure);
    }
  };
  const shown = found.filter(({ port }) => !dismissed.has(port));
  if (shown.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2" aria-label={text.label}>
      {shown.map(({ port, agent }) => (
        <li
          key={port}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-large border border-line px-3.5 py-2"
          data-role="found-relay"
          data-port={port}
        >
          <Plug className="size-4 shrink-0 text-dim" aria-hidden="true" />
          <span className="min-w-0 grow">
            {text.found(port)}{" "}
            <span className="text-dim">
              {agent === "connected" ? text.withAgent : text.withoutAgent}
            </span>
          </span>
          {isRelayOn ? (
            <button type="button" className="button" onClick={() => void attach(port)}>
              {strings.connect.attach}
            </button>
          ) : (
            <Link href="/settings/relay" className="button">
              {text.turnOn}
            </Link>
          )}
          <button
            type="button"
            className="button button-ghost button-icon"
            aria-label={text.dismiss(port)}
            data-tip={text.dismiss(port)}
            onClick={() => setDismissed((ports) => new Set([...ports, port]))}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function isOffered({ kind, attached }: NeighborView): boolean {
  return kind === "relay" && attached === undefined;
}
