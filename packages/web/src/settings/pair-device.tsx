import type { DeviceRole, DeviceView, Pairing } from "@signalbox/api";
import { lazy, Suspense, useCallback, useState } from "react";
import { useSeconds } from "../store/clock.ts";
import { formatElapsed } from "../text/format.ts";
import { useDevice } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { inert } from "../text/visible.ts";
import { useCodeUsed } from "./use-code-used.ts";
import { isLoopback } from "./loopback.ts";
import { roleWithArticle, roles } from "../pair/roles.ts";
import { errorMessage } from "../text/error-message.ts";

const QrCode = lazy(() => import("./qr-code.tsx"));

/** A pairing code, its role, and the devices that existed before it. */
interface CreatedCode {
  readonly pairing: Pairing;
  readonly role: DeviceRole;
  readonly before: ReadonlySet<string>;
}

/** Creates a pairing code for one more device, valid once within five minutes. */
export function PairDevice() {
  const { client } = useAppContext();
  const { role: mine } = useDevice();
  const [role, setRole] = useState<DeviceRole>("driver");
  const [made, setMade] = useState<CreatedCode>();
  const [used, setUsed] = useState<DeviceView>();
  const [problem, setProblem] = useState<string>();
  const make = async () => {
    setProblem(undefined);
    setMade(undefined);
    setUsed(undefined);
    try {
      const before = new Set((await client.devices()).map(({ id }) => id));
      setMade({ pairing: await client.createPairing(role), role, before });
    } catch (failure) {
      setProblem(errorMessage(failure));
    }
  };
  const onUsed = useCallback((device: DeviceView) => {
    setMade(undefined);
    setUsed(device);
  }, []);
  if (mine === "viewer") return <p className="text-dim">This device may only look.</p>;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <label className="flex max-w-full flex-col gap-1">
          <span className="text-small text-dim">It may</span>
          <select
            className="field"
            value={role}
            onChange={(event) => {
              setRole(event.target.value as DeviceRole);
              setMade(undefined); // The code has another role than the one that is selected now.
              setUsed(undefined);
            }}
          >
            {roles.map(({ value, label }) => (
              <option key={value} value={value}>
                {label} ({value})
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="button" data-role="make-code" onClick={() => void make()}>
          Make a code
        </button>
      </div>
      {problem !== undefined && (
        <p className="text-failed" role="alert">
          {problem}
        </p>
      )}
      {used && (
        <p role="status">
          {inert(used.name)} is paired, as {roleWithArticle(used.role as DeviceRole)}.
        </p>
      )}
      {made && <PairingCode made={made} onUsed={onUsed} />}
    </div>
  );
}

function PairingCode({
  made,
  onUsed,
}: {
  made: CreatedCode;
  onUsed: (device: DeviceView) => void;
}) {
  const { pairing, role, before } = made;
  useCodeUsed(before, role, onUsed);
  const now = useSeconds();
  const left = pairing.expiresAt - now;
  if (left <= 0) return <p className="text-dim">This code has run out. Make another.</p>;
  return (
    <div className="flex flex-wrap items-center gap-4">
      {!isLoopback(pairing.url) && (
        <Suspense fallback={null}>
          <QrCode text={pairing.url} />
        </Suspense>
      )}
      <div className="min-w-0">
        <p className="font-mono text-title" data-role="made-code">
          {pairing.code}
        </p>
        <p>
          Makes the device <b>{roleWithArticle(role)}</b>: it may{" "}
          {roles.find(({ value }) => value === role)?.label}.
        </p>
        <p className="text-small text-dim">
          Works once, for another {formatElapsed(left)}. Open this address on the device:
        </p>
        <p className="font-mono text-small wrap-anywhere">{pairing.url}</p>
        {isLoopback(pairing.url) && (
          <p className="mt-1 max-w-reading text-small text-dim">
            This address works on the hub's own machine alone. For a phone the hub must be started
            with a name and TLS, or behind a proxy that has them:{" "}
            <code>signalbox serve --help</code>.
          </p>
        )}
      </div>
    </div>
  );
}
