import { useState } from "react";
import { setPreferences, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";

/** Turns browser notifications on and off. */
export function Notifications() {
  const { notify } = useSignal(preferences);
  const can = typeof Notification !== "undefined";
  const [granted, setGranted] = useState(can ? Notification.permission : "denied");
  const toggle = async () => {
    if (notify) return setPreferences({ notify: false });
    const answer = granted === "granted" ? granted : await Notification.requestPermission();
    setGranted(answer);
    return setPreferences({ notify: answer === "granted" });
  };
  if (!can) return <p className="text-dim">This browser has no notifications.</p>;
  return (
    <>
      <label className="choice">
        <input type="checkbox" checked={notify} onChange={() => void toggle()} />
        Tell me when something waits and this page is out of sight
      </label>
      {granted === "denied" && (
        <p className="text-small text-dim">
          The browser has been told to refuse notifications of this page; its settings for this site
          can change that.
        </p>
      )}
    </>
  );
}
