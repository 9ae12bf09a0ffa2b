import type { AskView } from "@signalbox/api";
import { ChevronDown } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { MenuButton } from "../ui/menu-button.tsx";
import type { MenuEntry } from "../ui/menu-popup.tsx";
import { describeSuggestion, disablesAsking } from "./suggestion.ts";

const text = strings.asks;

interface Props {
  readonly ask: AskView;
  readonly disabled: boolean;
  /** Called with the number of the agent's suggestion. */
  readonly onAllow: (suggestion: number) => void;
}

/** The agent's own suggestions for lasting rules, each in full and with its scope. Never a wider rule of ours. */
export function AlwaysAllowMenu({ ask, disabled, onAllow }: Props) {
  if (ask.suggestions.length === 0) return null;
  return (
    <MenuButton
      className="button"
      data-role="always-allow"
      disabled={disabled}
      menu={{
        label: text.alwaysAllow,
        className: "max-w-120",
        guardedAsk: ask.id,
        entries: ask.suggestions.map(toEntry),
        onSelect: (key) => onAllow(Number(key)),
      }}
    >
      {text.alwaysAllow}
      <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
    </MenuButton>
  );
}

function toEntry(suggestion: AskView["suggestions"][number], index: number): MenuEntry {
  const { what, reach } = describeSuggestion(suggestion);
  const isRefused = disablesAsking(suggestion);
  return {
    key: String(index),
    className: "items-start",
    role: "always-allow-rule",
    isDisabled: isRefused,
    content: (
      <span className="min-w-0 wrap-anywhere">
        <span className="as-it-runs">{spelled(what)}</span>{" "}
        <span className="block text-small text-dim">
          {reach}
          {isRefused && ` · ${text.onlyAsPermission}`}
        </span>
      </span>
    ),
  };
}
