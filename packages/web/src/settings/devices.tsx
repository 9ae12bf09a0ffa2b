import type { DeviceView } from "@signalbox/api";
import { useCallback, useEffect } from "react";
import { moment } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { confirmed, type Question } from "../navigation/confirm.ts";
import { Ago } from "../ui/time.tsx";
import { useMayDrive } from "../store/use-hub.ts";
import { useWorld } from "../store/app-context.tsx";
import { useSignal } from "../store/signal.ts";
import { arrivals } from "./use-code-used.ts";
import { Loading } from "../ui/loading.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

/** Everything that has a key to this hub. */
export function Devices() {
  if (!useMayDrive()) return <p className="text-dim">This device may only look.</p>;
  return <DeviceList />;
}

const leaving: Question = {
  title: "Take this browser's own key away?",
  text: "Everything of the hub's is forgotten here, unsent messages and drafts too. To come back it must be paired again.",
  does: "Take the key away and forget everything",
};

function revocation({ name, pairedDevices = [] }: DeviceView): Question {
  const others = pairedDevices.map((device) => `"${device.name}"`).join(", ");
  const also = others === "" ? "" : ` The devices that were paired from it go too: ${others}.`;
  return {
    title: `Take the key of "${name}" away?`,
    text: `Its connections close at once. To come back it must be paired again.${also}`,
    does: `Take the key of "${name}" away`,
  };
}

function DeviceList() {
  const world = useWorld();
  const { client, toasts } = world;
  const { state, again } = useLoaded(useCallback(() => client.devices(), [client]));
  const came = useSignal(arrivals);
  useEffect(() => {
    if (came > 0) again();
  }, [came, again]);
  const revoke = async (device: DeviceView) => {
    const { id, you } = device;
    if (!(await confirmed(you ? leaving : revocation(device)))) return;
    try {
      if (you) {
        await world.leave();
        location.replace("/pair");
      } else {
        await client.revokeDevice(id);
        again();
      }
    } catch (failure) {
      toasts.fail("The key was not taken away", failure);
    }
  };
  return (
    <Loading state={state}>
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
                      <Ago at={device.lastSeenAt} />
                    </>
                  )}
                  {device.expiresAt < Number.MAX_SAFE_INTEGER &&
                    ` · holds until ${moment(device.expiresAt)}`}
                </span>
              </span>
              <button
                type="button"
                className="button button-end shrink-0"
                aria-label={`Take its key away: ${inert(device.name)}`}
                onClick={() => void revoke(device)}
              >
                Take its key away
              </button>
            </li>
          ))}
        </ul>
      )}
    </Loading>
  );
}
