import { SlidersHorizontal } from "lucide-react";
import { useEffect } from "react";
import { setDiffMode, useDiffMode } from "../items/diff/diff-mode.ts";
import { preferences, setPreferences } from "../store/preferences.ts";
import { useSignal } from "../store/signal.ts";
import { strings } from "../strings/strings.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import type { ChangesStore } from "./changes-store.ts";

const text = strings.changes.view;

/** How changes are shown: in one column or two, with or without changes of whitespace. */
export function ViewOptions({ store }: { store: ChangesStore }) {
  const mode = useDiffMode();
  const { hideWhitespace } = useSignal(preferences);
  useEffect(() => store.setWhitespace(hideWhitespace ? "ignore" : "show"), [store, hideWhitespace]);
  return (
    <MenuButton
      className="button button-ghost button-icon shrink-0"
      aria-label={text.label}
      data-tip={text.label}
      data-role="view-options"
      menu={{
        label: text.label,
        align: "end",
        entries: [
          { key: "columns", content: mode === "split" ? text.unified : text.split },
          {
            key: "whitespace",
            content: hideWhitespace ? text.showWhitespace : text.hideWhitespace,
          },
          { key: "open", content: text.openAll },
          { key: "close", content: text.closeAll },
        ],
        onSelect: (key) => {
          if (key === "columns") setDiffMode(mode === "split" ? "unified" : "split");
          else if (key === "whitespace") setPreferences({ hideWhitespace: !hideWhitespace });
          else store.setAllOpen(key === "open");
        },
      }}
    >
      <SlidersHorizontal aria-hidden="true" />
    </MenuButton>
  );
}
