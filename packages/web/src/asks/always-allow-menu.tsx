import { Menu } from "@base-ui/react/menu";
import type { AskView } from "@signalbox/api";
import { ChevronDown } from "lucide-react";
import { useSettled } from "../guard/use-settled.ts";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
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
    <Menu.Root>
      <Menu.Trigger className="button" data-role="always-allow" disabled={disabled}>
        {text.alwaysAllow}
        <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-25" align="start" sideOffset={6}>
          <Suggestions ask={ask} onAllow={onAllow} />
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Like the Allow button, the menu ignores clicks until it has been in place for a moment (C16). */
function Suggestions({ ask, onAllow }: Omit<Props, "disabled">) {
  const { ref, settled } = useSettled<HTMLDivElement>(ask.id);
  return (
    <Menu.Popup ref={ref} className="menu max-w-120" aria-label={text.alwaysAllow}>
      {ask.suggestions.map((suggestion, index) => {
        const { what, reach } = describeSuggestion(suggestion);
        const isRefused = disablesAsking(suggestion);
        return (
          <Menu.Item
            key={index}
            className="menu-item items-start"
            disabled={isRefused}
            aria-disabled={!settled}
            data-role="always-allow-rule"
            onClick={() => onAllow(index)}
          >
            <span className="min-w-0 wrap-anywhere">
              <span className="as-it-runs">{spelled(what)}</span>{" "}
              <span className="block text-small text-dim">
                {reach}
                {isRefused && ` · ${text.onlyAsPermission}`}
              </span>
            </span>
          </Menu.Item>
        );
      })}
    </Menu.Popup>
  );
}
