import type { DeviceView } from "@signalbox/api";
import { useCallback, useEffect } from "react";
import { type ConfirmOptions, requestConfirmation } from "../navigation/confirm.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useSignal } from "../store/signal.ts";
import { useDevice, useMayDrive } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { formatDate } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useLoad } from "../ui/use-load.ts";
import { EmbeddingOrigins } from "./embedding-origins.tsx";
import { PairDevice } from "./pair-device.tsx";
import { mayRevoke } from "./roles.ts";
import { SettingsBox, SettingsGroup } from "./setting-parts.tsx";
import { pairedDevices } from "./use-code-used.ts";

const text = settingsStrings.devices;

/** The devices that are paired with this hub, and pairing of another one. */
export function DevicesSection() {
  if (!useMayDrive()) return <p className="text-dim">{text.viewer}</p>;
  return (
    <>
      <PairDevice />
      <SettingsGroup title={text.list}>
        <DeviceList />
      </SettingsGroup>
      <EmbeddingOrigins />
    </>
  );
}

const leaveConfirmation: ConfirmOptions = {
  title: text.leaveTitle,
  text: text.leaveText,
  confirmLabel: text.leave,
};

function createRevokeConfirmation({ name, pairedDevices: also = [] }: DeviceView): ConfirmOptions {
  const others = also.map((device) => `“${device.name}”`).join(", ");
  return {
    title: text.revokeTitle(name),
    text: others === "" ? text.revokeText : `${text.revokeText} ${text.revokeAlso(others)}`,
    confirmLabel: text.revokeLabel(name),
  };
}

function DeviceList() {
  const app = useAppContext();
  const { client, toasts } = app;
  const { state, reload } = useLoad(useCallback(() => client.devices(), [client]));
  const pairedCount = useSignal(pairedDevices);
  useEffect(() => {
    if (pairedCount > 0) reload();
  }, [pairedCount, reload]);
  const revoke = async (device: DeviceView) => {
    const { id, you } = device;
    const confirmation = you ? leaveConfirmation : createRevokeConfirmation(device);
    if (!(await requestConfirmation(confirmation))) return;
    try {
      if (you) {
        await app.leave();
        location.replace("/pair");
      } else {
        await client.revokeDevice(id);
        reload();
      }
    } catch (failure) {
      toasts.showError(text.couldNotRevoke, failure);
    }
  };
  return (
    <LoadedContent state={state}>
      {(devices) => (
        <SettingsBox>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} onRevoke={() => void revoke(device)} />
          ))}
        </SettingsBox>
      )}
    </LoadedContent>
  );
}

function DeviceRow({ device, onRevoke }: { device: DeviceView; onRevoke: () => void }) {
  const { name, role, lastSeenAt, expiresAt, you, token } = device;
  const { role: own } = useDevice();
  return (
    <div
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2.5"
      data-device={device.id}
    >
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 wrap-anywhere">{inert(name)}</span>
          {you && <span className="chip">{text.thisBrowser}</span>}
          {token && <span className="chip">{text.token}</span>}
        </div>
        <div className="text-small text-dim">
          {text.roles[role] ?? role}
          {lastSeenAt !== undefined && (
            <>
              {" · "}
              {text.lastSeen} <RelativeTime at={lastSeenAt} />
            </>
          )}
          {expiresAt < Number.MAX_SAFE_INTEGER && ` · ${text.expires(formatDate(expiresAt))}`}
        </div>
      </div>
      {(you || mayRevoke(own, role)) && (
        <button
          type="button"
          className="button button-danger"
          aria-label={text.revokeLabel(inert(name))}
          onClick={onRevoke}
        >
          {text.revoke}
        </button>
      )}
    </div>
  );
}
