import { type Preferences, prefer, preferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";

const themes: readonly { value: Preferences["theme"]; words: string }[] = [
  { value: "system", words: "As the system" },
  { value: "light", words: "Light" },
  { value: "dark", words: "Dark" },
];

export function Appearance() {
  const { theme, enterSends } = useSignal(preferences);
  return (
    <>
      <fieldset className="flex flex-wrap gap-4">
        <legend className="sr-only">Appearance</legend>
        {themes.map(({ value, words }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name="theme"
              checked={theme === value}
              onChange={() => prefer({ theme: value })}
            />
            {words}
          </label>
        ))}
      </fieldset>
      <label className="choice">
        <input
          type="checkbox"
          checked={enterSends}
          onChange={() => prefer({ enterSends: !enterSends })}
        />
        Enter sends a message (otherwise Ctrl+Enter does)
      </label>
    </>
  );
}
