import { strings } from "../strings/strings.ts";
import type { TerminalScreen } from "./terminal-screen.ts";

const text = strings.terminals;

const keys: readonly (readonly [label: string, press: (screen: TerminalScreen) => void])[] = [
  [text.key.escape, (screen) => screen.press("\u001B")],
  [text.key.tab, (screen) => screen.press("\t")],
  [text.key.interrupt, (screen) => screen.press("\u0003")],
  [text.key.up, (screen) => screen.pressArrow("A")],
  [text.key.down, (screen) => screen.pressArrow("B")],
  [text.key.enter, (screen) => screen.press("\r")],
];

/** Keys that the keyboard of a touch screen lacks. */
export function TouchKeys({ screen }: { screen: () => TerminalScreen | undefined }) {
  return (
    <div className="terminal-touch-keys" role="toolbar" aria-label={text.keys}>
      {keys.map(([label, press]) => (
        <button
          key={label}
          type="button"
          className="button grow"
          onPointerDown={(event) => event.preventDefault()} // The terminal keeps the focus.
          onClick={() => {
            const shown = screen();
            if (shown) press(shown);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
