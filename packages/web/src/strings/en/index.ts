import { activity } from "./activity.ts";
import { asks } from "./asks.ts";
import { attachments } from "./attachments.ts";
import { branches } from "./branches.ts";
import { changes } from "./changes.ts";
import { characters } from "./characters.ts";
import { composer } from "./composer.ts";
import { connect } from "./connect.ts";
import { content } from "./content.ts";
import { conversation } from "./conversation.ts";
import { drafts } from "./drafts.ts";
import { elevations } from "./elevations.ts";
import { embedding } from "./embedding.ts";
import { exporting } from "./export.ts";
import { files } from "./files.ts";
import { find } from "./find.ts";
import { frame } from "./frame.ts";
import { inbox } from "./inbox.ts";
import { items } from "./items.ts";
import { keys } from "./keys.ts";
import { lamps } from "./lamps.ts";
import { mentions } from "./mentions.ts";
import { menus } from "./menus.ts";
import { newSession } from "./new-session.ts";
import { overview } from "./overview.ts";
import { pairing } from "./pairing.ts";
import { palette } from "./palette.ts";
import { panels } from "./panels.ts";
import { parts } from "./parts.ts";
import { permissions } from "./permissions.ts";
import { promptContext } from "./prompt-context.ts";
import { queue } from "./queue.ts";
import { restore } from "./restore.ts";
import { session } from "./session.ts";
import { sessionOptions } from "./session-options.ts";
import { suggestions } from "./suggestions.ts";
import { terminals } from "./terminals.ts";
import { notices } from "./notices.ts";
import { tools } from "./tools.ts";
import { trust } from "./trust.ts";
import { formats, units } from "./units.ts";
import { unsent } from "./unsent.ts";
import { worktrees } from "./worktrees.ts";

export const en = {
  activity,
  asks,
  attachments,
  branches,
  changes,
  characters,
  composer,
  connect,
  content,
  conversation,
  drafts,
  elevations,
  embedding,
  exporting,
  files,
  find,
  formats,
  frame,
  inbox,
  items,
  keys,
  lamps,
  mentions,
  menus,
  newSession,
  notices,
  overview,
  pairing,
  palette,
  panels,
  parts,
  permissions,
  promptContext,
  queue,
  restore,
  session,
  sessionOptions,
  suggestions,
  terminals,
  tools,
  trust,
  units,
  unsent,
  worktrees,
};
