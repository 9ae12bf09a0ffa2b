import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { useSettled } from "../guard/use-settled.ts";

export interface MenuEntry {
  readonly key: string;
  readonly content: ReactNode;
  readonly className?: string;
  readonly role?: string;
  readonly isDisabled?: boolean;
}

export interface MenuContent {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly onSelect: (key: string) => void;
  /** The key of the current choice, in a menu of which one entry is chosen. */
  readonly value?: string | undefined;
  readonly align?: "start" | "end";
  readonly className?: string;
  /**
   * The id of the ask that the entries answer: like the Allow button, they then ignore clicks until the menu
   * has been in place for a moment (C16).
   */
  readonly guardedAsk?: string;
}

interface Props extends MenuContent {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onOpenChange: (open: boolean) => void;
}

/** The open menu of a `MenuButton`. */
export default function MenuPopup({ anchor, onOpenChange, ...content }: Props) {
  return (
    <Menu.Root open onOpenChange={onOpenChange}>
      <Menu.Portal>
        <Menu.Positioner
          className="z-25"
          anchor={anchor}
          align={content.align ?? "start"}
          sideOffset={6}
        >
          <Popup {...content} />
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Popup({ label, entries, onSelect, value, className = "", guardedAsk }: MenuContent) {
  const isGuarded = guardedAsk !== undefined;
  const { ref, settled } = useSettled<HTMLDivElement>(guardedAsk ?? "", isGuarded);
  return (
    <Menu.Popup ref={ref} className={`menu ${className}`} aria-label={label}>
      {value === undefined ? (
        entries.map((entry) => (
          <Menu.Item
            key={entry.key}
            className={`menu-item ${entry.className ?? ""}`}
            data-role={entry.role}
            disabled={entry.isDisabled ?? false}
            {...(isGuarded && { "aria-disabled": !settled })}
            onClick={() => onSelect(entry.key)}
          >
            {entry.content}
          </Menu.Item>
        ))
      ) : (
        <Menu.RadioGroup value={value} onValueChange={onSelect}>
          {entries.map((entry) => (
            <Menu.RadioItem
              key={entry.key}
              value={entry.key}
              className={`menu-item items-start ${entry.className ?? ""}`}
              closeOnClick
            >
              <span className="flex w-4 shrink-0 pt-px">
                <Menu.RadioItemIndicator>
                  <Check aria-hidden="true" />
                </Menu.RadioItemIndicator>
              </span>
              {entry.content}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      )}
    </Menu.Popup>
  );
}
