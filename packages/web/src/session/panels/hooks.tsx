import type { ItemOf, Session } from "@signalbox/client";
import { useEffect, useState } from "react";
import { PlainText } from "../../items/parts/plain-text.tsx";
import { useWorld } from "../../store/world.tsx";

/** Hooks that ran lately, with what they said. */
export default function HooksPanel({ session }: { session: Session }) {
  const { client } = useWorld();
  const [hooks, setHooks] = useState<readonly ItemOf<"hook">[]>();
  const { id, rev } = session;
  useEffect(() => {
    let left = false;
    const look = async () => {
      const { items } = await client.items(id, { limit: 500 });
      if (!left) setHooks(items.filter((item) => item.kind === "hook").toReversed());
    };
    void look().catch(() => undefined);
    return () => {
      left = true;
    };
  }, [client, id, rev]);
  if (!hooks) return <p className="text-small text-dim">Fetching…</p>;
  if (hooks.length === 0) {
    return <p className="text-small text-dim">No hook has spoken in the last 500 items.</p>;
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
