import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { strings } from "../strings/strings.ts";
import { IconButton } from "../ui/icon-button.tsx";
import type { FoundMatches } from "./terminal-screen.ts";

const text = strings.terminals;

interface Props {
  readonly matches: FoundMatches;
  readonly onFind: (query: string, direction: "next" | "previous") => void;
  readonly onClose: () => void;
}

/** Finds text in the screen and the scroll-back of a terminal. */
export function TerminalFind({ matches, onFind, onClose }: Props) {
  const [query, setQuery] = useState("");
  const { at, count } = matches;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") onFind(query, event.shiftKey ? "next" : "previous");
    else return;
    event.preventDefault();
  };
  return (
    <div className="terminal-find" role="search">
      <input
        className="field w-44"
        aria-label={text.find}
        placeholder={text.find}
        value={query}
        autoFocus
        data-role="terminal-find"
        onChange={(event) => {
          setQuery(event.target.value);
          onFind(event.target.value, "previous");
        }}
        onKeyDown={onKeyDown}
      />
      <span className="min-w-14 text-small text-dim" role="status">
        {query !== "" && (count === 0 ? text.noMatch : text.matches(at, count))}
      </span>
      <IconButton
        icon={ChevronUp}
        label={text.previousMatch}
        onClick={() => onFind(query, "previous")}
      />
      <IconButton icon={ChevronDown} label={text.nextMatch} onClick={() => onFind(query, "next")} />
      <IconButton icon={X} label={text.closeFind} onClick={onClose} />
    </div>
  );
}
