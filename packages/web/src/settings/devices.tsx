import type { DeviceView } from "@signalbox/api";
import { useCallback, useEffect } from "react";
import { formatDateTime } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { requestConfirmation, type ConfirmOptions } from "../navigation/confirm.ts";
import { RelativeTime } from "../ui/time.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useSignal } from "../store/signal.ts";
import { pairedDevices } from "./use-code-used.ts";
import { LoadedContent } from "../ui/loaded-content.tsx";
import { useLoad } from "../ui/use-load.ts";

/** All devices that are paired with this hub. */
export function Devices() {
  if (!useMayDrive()) return <p className="text-dim">This device may only look.</p>;
  return <DeviceList />;
}

const leaveConfirmation: ConfirmOptions = {
  title: "Take this browser's own key away?",
  text: "Everything of the hub's is forgotten here, unsent messages and drafts too. To come back it must be paired again.",
  confirmLabel: "Take the key away and forget everything",
};

function createRevokeConfirmation({ name, pairedDevices = [] }: DeviceView): ConfirmOptions {
  const others = pairedDevices.map((device) => `"${device.name}"`).join(", ");
  const also = others === "" ? "" : ` The devices that were paired from it go too: ${others}.`;
  return {
    title: `Take the key of "${name}" away?`,
    text: `Its connections close at once. To come back it must be paired again.${also}`,
    confirmLabel: `Take the key of "${name}" away`,
  };
}

function DeviceList() {
  const app = useAppContext();
  const { client, toasts } = app;
  const { state, reload } = useLoad(useCallback(() => client.devices(), [client]));
  const came = useSignal(pairedDevices);
  useEffect(() => {
    if (came > 0) reload();
  }, [came, reload]);
  const revoke = async (device: DeviceView) => {
    const { id, you } = device;
    if (!(await requestConfirmation(you ? leaveConfirmation : createRevokeConfirmation(device))))
      return;
    try {
      if (you) {
        await app.leave();
        location.replace("/pair");
      } else {
        await client.revokeDevice(id);
        reload();
      }
    } catch (failure) {
      toasts.showError("The key was not taken away", failure);
    }
  };
  return (
    <LoadedContent state={state}>
      {(devices) => (
        <ul className="flex flex-col">
          {devices.map((device) => (
            <li key={device.id} className="flex items-center gap-3 border-b border-line py-1.5">
              <span className="min-w-0 grow">
                {inert(device.name)}{" "}
                {device.you && <span className="ml-1 text-small text-accent">this browser</span>}
                <span className="block text-small text-dim">
                  {device.role}
                  {device.lastSeenAt !== undefined && (
                    <>
                      {" · seen "}
                      <RelativeTime at={device.lastSeenAt} />
                    </>
                  )}
                  {device.expiresAt < Number.MAX_SAFE_INTEGER &&
                    ` · holds until ${formatDateTime(device.expiresAt)}`}
                </span>
              </span>
              <button
                type="button"
                className="button button-danger shrink-0"
                aria-label={`Take its key away: ${inert(device.name)}`}
                onClick={() => void revoke(device)}
              >
                Take its key away
              </button>
            </li>
          ))}
        </ul>
      )}
    </LoadedContent>
  );
}
