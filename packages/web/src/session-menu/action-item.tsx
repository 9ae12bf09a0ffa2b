import { Menu } from "@base-ui/react/menu";
import type { Action } from "./actions.ts";

/** An entry of a menu: icon, label, and what it does where the label does not say it. */
export function ActionItem({ action }: { action: Action }) {
  const { id, label, icon: Icon, hint, isDestructive, run } = action;
  return (
    <Menu.Item
      className={`menu-item ${hint === undefined ? "" : "items-start"} ${isDestructive ? "button-danger" : ""}`}
      data-action={id}
      onClick={run}
    >
      <Icon aria-hidden="true" className={hint === undefined ? "" : "mt-0.5"} />
      <span className="min-w-0">
        <span className="block">{label}</span>
        {hint !== undefined && (
          <span className="block max-w-64 text-small text-dim" aria-hidden="true">
            {hint}
          </span>
        )}
      </span>
    </Menu.Item>
  );
}
