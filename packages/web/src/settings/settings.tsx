import { Boundary } from "../ui/boundary.tsx";
import { Agents } from "./agents.tsx";
import { AllowedFolders } from "./allowed-folders.tsx";
import { Appearance } from "./appearance.tsx";
import { Audit } from "./audit.tsx";
import { Devices } from "./devices.tsx";
import { Machines } from "./machines.tsx";
import { Notifications } from "./notifications.tsx";
import { PairDevice } from "./pair-device.tsx";

const parts = [
  { words: "Pair a device", View: PairDevice },
  { words: "Devices", View: Devices },
  { words: "Machines", View: Machines },
  { words: "Agents", View: Agents },
  { words: "Allowed folders", View: AllowedFolders },
  { words: "Audit log", View: Audit },
  { words: "Notifications", View: Notifications },
  { words: "Appearance and keys", View: Appearance },
] as const;

export default function Settings() {
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-8 p-3 sm:p-4">
      <h1 className="text-title font-semibold">Settings</h1>
      {parts.map(({ words, View }) => (
        <section key={words} aria-label={words} className="flex flex-col gap-2">
          <h2 className="border-b border-line pb-1 font-semibold">{words}</h2>
          <Boundary what="This part of the settings">
            <View />
          </Boundary>
        </section>
      ))}
    </div>
  );
}
