import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";

/** What an element says while the pointer rests on it. */
export default function Tooltip({ anchor, text }: { anchor: Element; text: string }) {
  return (
    <BaseTooltip.Root open>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner
          className="tooltip-positioner"
          anchor={anchor}
          sideOffset={6}
          collisionPadding={8}
        >
          <BaseTooltip.Popup className="tooltip" data-role="tooltip">
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
