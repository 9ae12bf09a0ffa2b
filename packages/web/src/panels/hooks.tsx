import type { ItemOfKind, Session } from "@signalbox/client";
import { useEffect, useState } from "react";
import { PlainText } from "../text/plain-text.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { errorMessage } from "@signalbox/protocol/text";
import { strings } from "../strings/strings.ts";

const text = strings.panels.hooks;

/** Wait for a pause, because a working session changes many times a second. */
const DEBOUNCE_MS = 1000;

/** Hooks that ran recently, with their output. */
export default function HooksPanel({ session }: { session: Session }) {
  const { client } = useAppContext();
  const [hooks, setHooks] = useState<readonly ItemOfKind<"hook">[]>();
  const [problem, setProblem] = useState<string>();
  const { id, rev } = session;
  const first = hooks === undefined;
  useEffect(() => {
    let cancelled = false;
    const look = async () => {
      const { items } = await client.items(id, { limit: 500 });
      if (cancelled) return;
      setHooks(items.filter((item) => item.kind === "hook").toReversed());
      setProblem(undefined);
    };
    const fail = (failure: unknown) => setProblem(errorMessage(failure));
    const timer = setTimeout(() => void look().catch(fail), first ? 0 : DEBOUNCE_MS);
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [client, id, rev, first]);
  if (problem !== undefined && first) {
    return (
      <p className="text-small text-failed" role="alert">
        {problem}
      </p>
    );
  }
  if (!hooks) return <LoadingMessage text={text.loading} small />;
  if (hooks.length === 0) {
    return <p className="text-small text-dim">{text.none}</p>;
  }
  return (
    <ul className="flex flex-col gap-3">
      {hooks.map((hook) => (
        <li key={hook.id}>
          <div className="flex gap-2">
            <span className="min-w-0 grow truncate font-semibold">{hook.name}</span>
            <span className="text-small text-dim">
              {hook.event} · {hook.outcome ?? hook.state}
            </span>
          </div>
          {typeof hook.output === "string" && hook.output !== "" && (
            <PlainText text={hook.output} />
          )}
        </li>
      ))}
    </ul>
  );
}
