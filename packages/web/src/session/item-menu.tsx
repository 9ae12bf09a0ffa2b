import { Menu } from "@base-ui/react/menu";
import { memo, useRef, useState } from "react";
import type { ShownItem } from "../items/body.ts";
import type { Talk } from "../store/use-conversation.ts";
import { useDevice } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";
import { hasActions, itemActionsOf } from "./item-actions.ts";

interface Props {
  readonly session: string;
  readonly talk: Talk;
  readonly item: ShownItem;
}

/** What can be done with one item. The menu itself is made when it is opened: there are many items. */
export const ItemMenu = memo(function ItemMenu({ session, talk, item }: Props) {
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
                <Entries session={session} talk={talk} item={item} />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
      )}
    </>
  );
});

function Entries({ session, talk, item }: Props) {
  const world = useWorld();
  const { rows } = talk.conversation;
  const ids = rows.slice(0, Math.max(0, rows.indexOf(item.id)));
  const before = ids.flatMap((id) => talk.watch.view.item(id) ?? []);
  const actions = itemActionsOf(item, before, session, world);
  if (actions.length === 0) return <p className="menu-item text-dim">Nothing, as it stands</p>;
  return actions.map(({ id, words, run }) => (
    <Menu.Item key={id} className="menu-item" onClick={run}>
      {words}
    </Menu.Item>
  ));
}
