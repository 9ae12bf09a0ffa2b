import { Popover } from "@base-ui/react/popover";
import { ChevronDown, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly value: ReactNode;
  readonly icon: LucideIcon;
  readonly role?: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A button that shows a value and opens a form to change it. */
export function PillPopover(props: Props) {
  const { label, value, icon: Icon, role, isOpen, onOpenChange, children } = props;
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger className="button min-w-0 max-w-72" data-tip={label} data-role={role}>
        <Icon aria-hidden="true" />
        <span className="sr-only">{label}: </span>
        <span className="truncate">{value}</span>
        <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="z-25" align="start" sideOffset={6}>
          <Popover.Popup className="menu w-[min(440px,calc(100vw-16px))] p-3" aria-label={label}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
