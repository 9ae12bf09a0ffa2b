import { Menu } from "@base-ui/react/menu";
import { memo, useRef, useState } from "react";
import type { ShownItem } from "../items/body.ts";
import { useDevice } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";
import { hasActions, itemActionsOf } from "./item-actions.ts";

interface Props {
  readonly session: string;
  readonly item: ShownItem;
}

/** What can be done with one item. The menu itself is made when it is opened: there are many items. */
export const ItemMenu = memo(function ItemMenu({ session, item }: Props) {
  const { role } = useDevice();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (role === "viewer" || !hasActions(item)) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="item-menu"
        aria-label="What to do with this"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        ⋯
      </button>
      {open && (
        <Menu.Root open onOpenChange={setOpen}>
          <Menu.Portal>
            <Menu.Positioner className="z-10" anchor={button} align="end" sideOffset={4}>
              <Menu.Popup className="menu" aria-label="What to do with this">
                <Entries session={session} item={item} />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      )}
    </>
  );
});

function Entries({ session, item }: Props) {
  const actions = itemActionsOf(item, session, useWorld());
  if (actions.length === 0) return <p className="menu-item text-dim">Nothing, as it stands</p>;
  return actions.map(({ id, words, run }) => (
    <Menu.Item key={id} className="menu-item" onClick={run}>
      {words}
    </Menu.Item>
  ));
}
