import type { RouteKey } from "@signalbox/api";
import type { Handlers } from "../route.ts";
import { askHandlers } from "./asks.ts";
import { changesHandlers } from "./changes.ts";
import { conversationHandlers } from "./conversation.ts";
import { deviceHandlers } from "./devices.ts";
import { draftHandlers } from "./drafts.ts";
import { exportHandlers } from "./exports.ts";
import { fileHandlers } from "./files.ts";
import { hubHandlers } from "./hub.ts";
import { importHandlers } from "./import.ts";
import { promptHandlers } from "./prompts.ts";
import { relayHandlers } from "./relay.ts";
import { repositoryHandlers } from "./repository.ts";
import { searchHandlers } from "./search.ts";
import { sessionHandlers } from "./sessions.ts";
import { terminalHandlers } from "./terminals.ts";
import { trustHandlers } from "./trust.ts";

/** The handler of each route of the contract. */
export const handlers: Handlers<RouteKey> = {
  ...sessionHandlers,
  ...promptHandlers,
  ...draftHandlers,
  ...conversationHandlers,
  ...changesHandlers,
  ...repositoryHandlers,
  ...fileHandlers,
  ...searchHandlers,
  ...importHandlers,
  ...exportHandlers,
  ...terminalHandlers,
  ...askHandlers,
  ...trustHandlers,
  ...deviceHandlers,
  ...hubHandlers,
  ...relayHandlers,
};
