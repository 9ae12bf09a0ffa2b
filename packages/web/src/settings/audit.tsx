import { useState } from "react";
import { saveAuditHead, readAuditHeads } from "../storage/audit-heads.ts";
import { useAppContext, type AppContext } from "../store/app-context.tsx";
import { errorMessage } from "../text/error-message.ts";

/** Verifies the hub's audit log against the heads that this browser has seen. */
export function Audit() {
  const app = useAppContext();
  const [told, tell] = useState<{ readonly label: string; readonly fits: boolean }>();
  const [checking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    tell(await checkAudit(app));
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
          {told.label}
        </p>
      )}
    </>
  );
}

async function checkAudit({
  client,
  database,
}: AppContext): Promise<{ label: string; fits: boolean }> {
  try {
    const { hub } = await client.hub();
    const heads = await readAuditHeads(database, hub);
    const { head, verified } = await client.audit({ limit: 1, verify: true, heads });
    await saveAuditHead(database, hub, head);
    const fits = verified?.broken === null;
    const label = fits ? `All ${verified.count} entries fit.` : (verified?.why ?? "");
    return { label, fits };
  } catch (failure) {
    return { label: errorMessage(failure), fits: false };
  }
}
