import { useMemo, useState } from "react";
import { notify } from "../navigation/notify.ts";
import { type NotificationKind, preferences, setPreferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { useSessions } from "../store/use-hub.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { baseName } from "../text/path.ts";
import { inert } from "../text/visible.ts";
import { SettingRow, SettingsBox, SettingsGroup, SwitchRow } from "./setting-parts.tsx";

const text = settingsStrings.notifications;
const kinds: readonly NotificationKind[] = ["needsYou", "finished", "failed"];

/** The notifications of this browser: what for, and for which projects. */
export function Notifications() {
  const { notify: isOn, notifyAbout, mutedProjects } = useSignal(preferences);
  const isSupported = typeof Notification !== "undefined";
  const [granted, setGranted] = useState(isSupported ? Notification.permission : "denied");
  const sessions = useSessions();
  const projects = useMemo(
    () => [...new Set(sessions.map(({ folder }) => folder))].toSorted(),
    [sessions],
  );
  const toggle = async (next: boolean) => {
    if (!next) return setPreferences({ notify: false });
    const answer = granted === "granted" ? granted : await Notification.requestPermission();
    setGranted(answer);
    return setPreferences({ notify: answer === "granted" });
  };
  const mute = (folder: string, isMuted: boolean) => {
    const others = mutedProjects.filter((each) => each !== folder);
    setPreferences({ mutedProjects: isMuted ? [...others, folder] : others });
  };
  if (!isSupported) return <p className="text-dim">{text.unsupported}</p>;
  return (
    <>
      <SettingsBox>
        <SwitchRow
          label={text.show}
          hint={text.showHint}
          isOn={isOn}
          role="notify"
          onChange={(next) => void toggle(next)}
        />
        {isOn && (
          <SettingRow label={text.test}>
            <button
              type="button"
              className="button"
              onClick={() =>
                void notify({
                  title: text.testTitle,
                  body: text.testBody,
                  tag: "test",
                  path: "/settings/notifications",
                })
              }
            >
              {text.test}
            </button>
          </SettingRow>
        )}
      </SettingsBox>
      {granted === "denied" && <p className="text-control text-dim">{text.denied}</p>}
      <SettingsGroup title={text.about}>
        <SettingsBox>
          {kinds.map((kind) => (
            <SwitchRow
              key={kind}
              label={text.kinds[kind]}
              hint={text.kindHints[kind]}
              isOn={isOn && notifyAbout[kind]}
              isDisabled={!isOn}
              role={`notify-${kind}`}
              onChange={(next) => setPreferences({ notifyAbout: { ...notifyAbout, [kind]: next } })}
            />
          ))}
        </SettingsBox>
      </SettingsGroup>
      <SettingsGroup title={text.projects} hint={text.projectsHint}>
        {projects.length === 0 ? (
          <p className="text-control text-dim">{text.noProjects}</p>
        ) : (
          <SettingsBox>
            {projects.map((folder) => (
              <SwitchRow
                key={folder}
                label={inert(baseName(folder))}
                hint={<span className="font-mono wrap-anywhere">{inert(folder)}</span>}
                isOn={isOn && !mutedProjects.includes(folder)}
                isDisabled={!isOn}
                onChange={(next) => mute(folder, !next)}
              />
            ))}
          </SettingsBox>
        )}
      </SettingsGroup>
    </>
  );
}
