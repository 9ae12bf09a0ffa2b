import type { DeviceRole, DeviceView, Pairing } from "@signalbox/api";
import { lazy, Suspense, useCallback, useState } from "react";
import { useSeconds } from "../store/clock.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useDevice } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { formatCountdown } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { listGrantableRoles } from "./roles.ts";
import { ChoiceRow, FormProblem, SettingsBox, SettingsGroup } from "./setting-parts.tsx";
import { useCodeUsed } from "./use-code-used.ts";

const text = settingsStrings.devices;
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
  const device = useDevice();
  const options = listGrantableRoles(device.role).map((value) => ({
    value,
    label: text.roles[value] ?? value,
    hint: text.roleHints[value],
  }));
  const [role, setRole] = useState<DeviceRole>("driver");
  const [made, setMade] = useState<CreatedCode>();
  const [used, setUsed] = useState<DeviceView>();
  const [problem, setProblem] = useState<string>();
  const create = async () => {
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
  const onUsed = useCallback((paired: DeviceView) => {
    setMade(undefined);
    setUsed(paired);
  }, []);
  return (
    <SettingsGroup title={text.pair} hint={text.pairHint}>
      <SettingsBox>
        <ChoiceRow
          label={text.role}
          hint={text.roleHints[role]}
          value={role}
          options={options}
          role="pair-role"
          onChange={(next) => {
            setRole(next);
            setMade(undefined); // The code has another role than the one that is selected now.
            setUsed(undefined);
          }}
        />
        {made && <PairingCode made={made} onUsed={onUsed} />}
      </SettingsBox>
      <FormProblem problem={problem} />
      {used && (
        <p role="status" className="text-control">
          {text.paired(inert(used.name), (text.roles[used.role] ?? used.role).toLowerCase())}
        </p>
      )}
      <button
        type="button"
        className="button self-start"
        data-role="make-code"
        onClick={() => void create()}
      >
        {text.createCode}
      </button>
    </SettingsGroup>
  );
}

function PairingCode(props: {
  readonly made: CreatedCode;
  readonly onUsed: (device: DeviceView) => void;
}) {
  const { pairing, role, before } = props.made;
  useCodeUsed(before, role, props.onUsed);
  const left = pairing.expiresAt - useSeconds();
  if (left <= 0) return <p className="px-3.5 py-2.5 text-dim">{text.expired}</p>;
  return (
    <div className="flex flex-wrap items-center gap-4 px-3.5 py-3">
      {!isLoopbackUrl(pairing.url) && (
        <Suspense fallback={null}>
          <QrCode text={pairing.url} />
        </Suspense>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex items-center gap-2">
          <span className="font-mono text-title" data-role="made-code">
            {pairing.code}
          </span>
        </p>
        <p className="text-control">
          {text.codeRole(text.roles[role] ?? role, text.roleHints[role])}
        </p>
        <p className="text-small text-dim">{text.expiresIn(formatCountdown(left))}</p>
        <p className="mt-1 text-small text-dim">{text.openLink}</p>
        <p className="flex items-center gap-2 font-mono text-small">
          <span className="wrap-anywhere">{pairing.url}</span>
          <CopyButton text={pairing.url} what={text.openLink} />
        </p>
        {isLoopbackUrl(pairing.url) && <p className="text-small text-dim">{text.loopback}</p>}
      </div>
    </div>
  );
}
