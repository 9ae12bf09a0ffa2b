import type { Story } from "../story.ts";
import { askedLines } from "./asked-lines.ts";
import { asked } from "./asked.ts";
import { commands } from "./commands.ts";
import { controls } from "./controls.ts";
import { dangers } from "./dangers.ts";
import { delegation } from "./delegation.ts";
import { elicitation } from "./elicitation.ts";
import { failures } from "./failures.ts";
import { farServers } from "./far-servers.ts";
import { guards } from "./guards.ts";
import { hookAsks } from "./hook-asks.ts";
import { deferred } from "./deferred.ts";
import { hookEvents } from "./hook-events.ts";
import { hookInterrupts } from "./hook-interrupts.ts";
import { hookKinds } from "./hook-kinds.ts";
import { hooks } from "./hooks.ts";
import { hostServers } from "./host-servers.ts";
import { led } from "./led.ts";
import { memoryStories } from "./memory.ts";
import { notebooks } from "./notebooks.ts";
import { order } from "./order.ts";
import { permissions } from "./permissions.ts";
import { rules } from "./rules.ts";
import { serverPrompts } from "./server-prompts.ts";
import { servers } from "./servers.ts";
import { queue } from "./queue.ts";
import { sessions } from "./sessions.ts";
import { steering } from "./steering.ts";
import { subagents } from "./subagents.ts";
import { toolNames } from "./tool-names.ts";
import { tools } from "./tools.ts";
import { trust } from "./trust.ts";
import { turns } from "./turns.ts";
import { writing } from "./writing.ts";

export const stories: readonly Story[] = [
  ...turns,
  ...queue,
  ...steering,
  ...failures,
  ...permissions,
  ...rules,
  ...askedLines,
  ...asked,
  ...order,
  ...trust,
  ...tools,
  ...toolNames,
  ...notebooks,
  ...serverPrompts,
  ...hostServers,
  ...servers,
  ...elicitation,
  ...farServers,
  ...delegation,
  ...subagents,
  ...led,
  ...memoryStories,
  ...sessions,
  ...guards,
  ...writing,
  ...dangers,
  ...hooks,
  ...hookAsks,
  ...hookKinds,
  ...hookEvents,
  ...hookInterrupts,
  ...deferred,
  ...commands,
  ...controls,
];
