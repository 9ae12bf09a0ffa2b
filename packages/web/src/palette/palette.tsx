import { Fragment, type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { LampView } from "../ui/lamp-view.tsx";
import { Modal } from "../ui/modal.tsx";
import { isPlainEnter } from "../browser/typing.ts";
import type { PageRoute } from "../navigation/router.ts";
import { abbreviateHome } from "../text/path.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { listEntries, filterEntries, type PaletteEntry } from "./commands.ts";
import { PathText } from "../text/path-text.tsx";
import { inert } from "../text/visible.ts";

/** The palette: sessions and actions by name. */
export default function Palette({ route, onClose }: { route: PageRoute; onClose: () => void }) {
  const app = useAppContext();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  // The entries do not change while the palette is open.
  const entries = useMemo(() => listEntries(app, route), [app, route]);
  const shown = filterEntries(entries, text).slice(0, 50);
  const current = Math.min(at, shown.length - 1);
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((current + 1) % Math.max(1, shown.length));
    else if (event.key === "ArrowUp")
      setAt((current + shown.length - 1) % Math.max(1, shown.length));
    else if (isPlainEnter(event)) run(shown[current]);
    else return;
    event.preventDefault();
    document.getElementById(`${list}-${current}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Modal title={strings.palette.title} bare first={input} onClose={onClose}>
      <input
        className="w-full shrink-0 border-b border-line bg-transparent px-4 py-3.5 text-large outline-none placeholder:text-faint"
        ref={input}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={`${list}-${current}`}
        aria-label={strings.palette.field}
        placeholder={strings.palette.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id={list}
        role="listbox"
        aria-label={strings.palette.title}
        className="overflow-y-auto p-1"
      >
        {shown.map((entry, index) => (
          <Fragment key={entry.id}>
            {text.trim() === "" && entry.group !== shown[index - 1]?.group && (
              <li role="presentation" className="menu-label">
                {strings.palette.groups[entry.group]}
              </li>
            )}
            <li
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === current}
              data-highlighted={index === current ? "" : undefined}
              className="menu-item px-3"
              onClick={() => run(entry)}
            >
              <span className="grid w-4 shrink-0 place-items-center">
                {entry.lamp && <LampView lamp={entry.lamp} quiet />}
                {entry.icon && <entry.icon aria-hidden="true" />}
              </span>
              <span className="min-w-0 grow truncate" data-tip={inert(entry.label)}>
                {inert(entry.label)}
              </span>
              {entry.note !== undefined && (
                <PathText
                  path={abbreviateHome(entry.note)}
                  whole={entry.note}
                  className="max-w-1/2 text-small text-faint"
                />
              )}
            </li>
          </Fragment>
        ))}
        {shown.length === 0 && <li className="p-3 text-dim">{strings.palette.noResults}</li>}
      </ul>
    </Modal>
  );
}
