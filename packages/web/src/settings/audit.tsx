import { useState } from "react";
import { keepHead, keptHeads } from "../storage/audit-heads.ts";
import { useWorld, type World } from "../store/app-context.tsx";

/** Walks the hub's audit log, with what this browser has seen of it. */
export function Audit() {
  const world = useWorld();
  const [told, tell] = useState<{ readonly words: string; readonly fits: boolean }>();
  const [checking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    tell(await verdict(world));
    setChecking(false);
  };
  return (
    <>
      <p className="text-dim">
        Who let in, started, allowed and denied what. Every entry vouches for all before it, and
        this browser remembers how far it has seen the log grow.
      </p>
      <button
        type="button"
        className="button self-start"
        disabled={checking}
        onClick={() => void check()}
      >
        Check the audit log
      </button>
      {told && (
        <p role={told.fits ? "status" : "alert"} className={told.fits ? "" : "text-failed"}>
          {told.words}
        </p>
      )}
    </>
  );
}

async function verdict({ client, database }: World): Promise<{ words: string; fits: boolean }> {
  try {
    const { hub } = await client.hub();
    const heads = await keptHeads(database, hub);
    const { head, verified } = await client.audit({ limit: 1, verify: true, heads });
    await keepHead(database, hub, head);
    const fits = verified?.broken === null;
    const words = fits ? `All ${verified.count} entries fit.` : (verified?.why ?? "");
    return { words, fits };
  } catch (failure) {
    return { words: failure instanceof Error ? failure.message : String(failure), fits: false };
  }
}
