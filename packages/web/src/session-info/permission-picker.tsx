import type { Session } from "@signalbox/client";
import type { PolicyName } from "@signalbox/api";
import { ShieldCheck, ShieldOff } from "lucide-react";
import { useAppContext } from "../store/app-context.tsx";
import type { AppContext } from "../store/app-context.tsx";
import { useMayDecide } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { PillMenu } from "../ui/pill-menu.tsx";
import {
  agentModes,
  confirmPermission,
  currentPermission,
  listPermissions,
} from "./permissions.ts";

const text = strings.permissions;

/** Changes the permission of a session, after a confirmation where one is needed. */
export async function changePermission(
  { client, toasts }: Pick<AppContext, "client" | "toasts">,
  session: Session,
  permission: PolicyName,
): Promise<void> {
  if (permission === currentPermission(session)) return;
  const confirmation = await confirmPermission(permission);
  if (!confirmation) return;
  try {
    const mode = agentModes[permission];
    if (permission === session.policy && mode !== undefined && session.state === "running") {
      // The policy stays the same: only the agent has changed its mode, and is told to change it back.
      await client.control(session.id, "set_permission_mode", { mode });
    } else {
      await client.changeSession(session.id, { policy: permission, ...confirmation });
    }
  } catch (failure) {
    toasts.showError(text.couldNotChange, failure);
  }
}

/** The one picker for how much the agent may do without asking. */
export function PermissionPicker({ session }: { session: Session }) {
  const app = useAppContext();
  const mayLoosen = useMayDecide();
  const permission = currentPermission(session);
  return (
    <PermissionMenu
      value={permission}
      mayLoosen={mayLoosen}
      onChange={(next) => void changePermission(app, session, next)}
    />
  );
}

interface MenuProps {
  readonly value: PolicyName;
  readonly mayLoosen: boolean;
  /** The loosest permission that a device may choose if it may not loosen any; the current one by default. */
  readonly limit?: PolicyName;
  readonly isOutlined?: boolean;
  readonly onChange: (permission: PolicyName) => void;
}

export function PermissionMenu(props: MenuProps) {
  const { value, mayLoosen, limit = value, isOutlined = false, onChange } = props;
  const isDanger = value === "autonomous";
  return (
    <PillMenu
      label={text.label}
      icon={isDanger ? ShieldOff : ShieldCheck}
      value={value}
      options={listPermissions(limit, mayLoosen)}
      onChange={onChange}
      isDanger={isDanger}
      isOutlined={isOutlined}
      role="permission"
    />
  );
}
