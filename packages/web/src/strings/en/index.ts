import { activity } from "./activity.ts";
import { asks } from "./asks.ts";
import { composer } from "./composer.ts";
import { conversation } from "./conversation.ts";
import { content } from "./content.ts";
import { find } from "./find.ts";
import { frame } from "./frame.ts";
import { inbox } from "./inbox.ts";
import { items } from "./items.ts";
import { keys } from "./keys.ts";
import { lamps } from "./lamps.ts";
import { menus } from "./menus.ts";
import { newSession } from "./new-session.ts";
import { overview } from "./overview.ts";
import { palette } from "./palette.ts";
import { pairing } from "./pairing.ts";
import { panels } from "./panels.ts";
import { permissions } from "./permissions.ts";
import { queue } from "./queue.ts";
import { session } from "./session.ts";
import { settings } from "./settings.ts";
import { tools } from "./tools.ts";
import { unsent } from "./unsent.ts";

export const en = {
  activity,
  asks,
  composer,
  conversation,
  content,
  find,
  frame,
  inbox,
  items,
  keys,
  lamps,
  menus,
  newSession,
  overview,
  palette,
  pairing,
  panels,
  permissions,
  queue,
  session,
  settings,
  tools,
  unsent,
};
