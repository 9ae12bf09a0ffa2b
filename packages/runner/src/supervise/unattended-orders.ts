import type { Order, OrderOfKind } from "@signalbox/api/link";
import { OrderError } from "./order-error.ts";

/** The modes of an agent in which it asks a person. */
const askingModes: ReadonlySet<unknown> = new Set([undefined, "plan", "default", "acceptEdits"]);
/** Options of a launch with which calls are allowed unasked. A hub has other ways for what people choose. */
const unattendedOptions = [
  "dangerouslySkipPermissions",
  "allowedTools",
  "settings",
  "settingSources",
] as const satisfies readonly (keyof OrderOfKind<"start">["launch"])[];
/** The same as flags of an agent. A plugin can bring hooks that allow calls. */
const unattendedFlag =
  /skip-permissions|^--?(?:allowed-?tools|settings?|setting-sources|plugin|permission)/i;

/** The control requests that hubs pass on. Others could allow calls, or let the agent start programs. */
const knownRequests: ReadonlySet<string> = new Set([
  "interrupt",
  "set_model",
  "set_max_thinking_tokens",
  "set_permission_mode",
  "get_context_usage",
  "mcp_status",
  "rewind_files",
  "stop_task",
  "get_settings",
  "mcp_toggle",
  "mcp_reconnect",
  "apply_flag_settings",
]);

/**
 * Refuses orders with which an agent would act unasked, and which no hub gives: whoever speaks in the place of
 * the hub must not get past the signatures of decisions by starting the agent in another way.
 */
export function refuseUnattended(order: Order): void {
  if (order.kind === "start") refuseLaunch(order.launch);
  if (order.kind === "request") refuseRequest(order);
}

function refuseLaunch(launch: OrderOfKind<"start">["launch"]): void {
  const option = unattendedOptions.find((name) => launch[name] !== undefined);
  if (option !== undefined) refuse(`the option ${option}`);
  if (!askingModes.has(launch.permissionMode)) refuse(`the mode ${String(launch.permissionMode)}`);
  const { flags } = launch;
  const flag = Array.isArray(flags) ? flags.map(String).find(isUnattended) : undefined;
  if (flag !== undefined) {
    refuse(`the option ${flag}`, "If the settings have it among the agent's flags, remove it.");
  }
}

function isUnattended(flag: string): boolean {
  return unattendedFlag.test(flag);
}

function refuseRequest({ subtype, fields }: OrderOfKind<"request">): void {
  if (!knownRequests.has(subtype)) refuse(`the request ${subtype}`);
  if (subtype === "set_permission_mode" && !askingModes.has(fields["mode"] ?? null)) {
    refuse(`the mode ${String(fields["mode"])}`);
  }
  if (subtype !== "apply_flag_settings") return;
  const settings = Object.keys(Object(fields["settings"]) as object);
  const other = settings.find((name) => name !== "effortLevel");
  if (other !== undefined) refuse(`the setting ${other}`);
}

const UPDATE = "If your hub is newer, update Signalbox on this machine.";

function refuse(what: string, advice = UPDATE): never {
  throw new OrderError(
    "unattended",
    `This runner does not start or tell an agent with ${what}, with which it would act without asking. ${advice}`,
  );
}
