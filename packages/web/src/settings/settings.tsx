import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Agents } from "./agents.tsx";
import { AllowedFolders } from "./allowed-folders.tsx";
import { Appearance } from "./appearance.tsx";
import { Audit } from "./audit.tsx";
import { Devices } from "./devices.tsx";
import { Machines } from "./machines.tsx";
import { Notifications } from "./notifications.tsx";
import { PairDevice } from "./pair-device.tsx";

const parts = [
  { label: "Pair a device", View: PairDevice },
  { label: "Devices", View: Devices },
  { label: "Machines", View: Machines },
  { label: "Agents", View: Agents },
  { label: "Allowed folders", View: AllowedFolders },
  { label: "Audit log", View: Audit },
  { label: "Notifications", View: Notifications },
  { label: "Appearance and keys", View: Appearance },
] as const;

export default function Settings() {
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-8 p-3 sm:p-4">
      <h1 className="text-title font-semibold">Settings</h1>
      {parts.map(({ label, View }) => (
        <section key={label} aria-label={label} className="flex flex-col gap-2">
          <h2 className="border-b border-line pb-1 font-semibold">{label}</h2>
          <ErrorBoundary what="This part of the settings">
            <View />
          </ErrorBoundary>
        </section>
      ))}
    </div>
  );
}
