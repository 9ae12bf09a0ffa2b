import { asks } from "./asks.ts";
import { composer } from "./composer.ts";
import { conversation } from "./conversation.ts";
import { frame } from "./frame.ts";
import { lamps } from "./lamps.ts";
import { menus } from "./menus.ts";
import { newSession } from "./new-session.ts";
import { overview } from "./overview.ts";
import { permissions } from "./permissions.ts";
import { session } from "./session.ts";
import { tools } from "./tools.ts";

export const en = {
  asks,
  composer,
  conversation,
  frame,
  lamps,
  menus,
  newSession,
  overview,
  permissions,
  session,
  tools,
};
