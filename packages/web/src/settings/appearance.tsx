import { type Preferences, setPreferences, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";

const themes: readonly { value: Preferences["theme"]; label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export function Appearance() {
  const { theme, enterSends } = useSignal(preferences);
  return (
    <>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="sr-only">Appearance</legend>
        {themes.map(({ value, label }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name="theme"
              checked={theme === value}
              onChange={() => setPreferences({ theme: value })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <label className="choice">
        <input
          type="checkbox"
          checked={enterSends}
          onChange={() => setPreferences({ enterSends: !enterSends })}
        />
        Enter sends a message (otherwise Ctrl+Enter does)
      </label>
    </>
  );
}
