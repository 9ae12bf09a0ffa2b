import { openHelp } from "../navigation/overlays.ts";
import { type Preferences, preferences, setPreferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { settingsStrings } from "../strings/settings-strings.ts";
import { ChoiceRow, SettingRow, SettingsBox, SettingsGroup, SwitchRow } from "./setting-parts.tsx";
import { keyLabel } from "../keys/key-labels.ts";

const text = settingsStrings.general;

const themes = (["system", "light", "dark"] as const).map((value) => ({
  value,
  label: text.themes[value],
}));
const dateFormats = (["relative", "exact"] as const).map((value) => ({
  value,
  label: text.dateFormats[value],
}));

/** What this browser looks like and how its keys work. */
export function General() {
  const { theme, enterSends, dates } = useSignal(preferences);
  return (
    <>
      <SettingsGroup title={text.appearance}>
        <SettingsBox>
          <ChoiceRow<Preferences["theme"]>
            label={text.theme}
            value={theme}
            options={themes}
            role="theme"
            onChange={(next) => setPreferences({ theme: next })}
          />
          <ChoiceRow<Preferences["dates"]>
            label={text.dates}
            hint={text.datesHint}
            value={dates}
            options={dateFormats}
            role="dates"
            onChange={(next) => setPreferences({ dates: next })}
          />
        </SettingsBox>
      </SettingsGroup>
      <SettingsGroup title={text.writing}>
        <SettingsBox>
          <SwitchRow
            label={text.enterSends}
            hint={text.enterSendsHint(keyLabel("send-now"))}
            isOn={enterSends}
            role="enter-sends"
            onChange={(isOn) => setPreferences({ enterSends: isOn })}
          />
        </SettingsBox>
      </SettingsGroup>
      <SettingsGroup title={text.keyboard}>
        <SettingsBox>
          <SettingRow label={text.shortcuts} hint={text.shortcutsHint}>
            <button type="button" className="button" onClick={openHelp}>
              {text.showShortcuts}
            </button>
          </SettingRow>
        </SettingsBox>
      </SettingsGroup>
      <p className="text-small text-dim">{text.thisBrowser}</p>
    </>
  );
}
