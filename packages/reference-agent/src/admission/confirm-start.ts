import type { ConfirmStart } from "@signalbox/agent/command-line";
import { needsNoQuestion } from "../trust.ts";
import { readFolderFiles } from "./folder-files.ts";
import { askForServers } from "./server-questions.ts";
import { askForTrust } from "./trust-question.ts";

/**
 * Asks the person at a terminal, before the agent starts, whether they trust the folder and which
 * of its MCP servers they want. As in Claude Code, nothing starts if they do not trust it or leave.
 */
export const confirmStart: ConfirmStart = async (place, dialog) => {
  const files = readFolderFiles(place);
  const isTrusted = needsNoQuestion(place) || (await askForTrust(place, files, dialog));
  return isTrusted && (await askForServers(place, files, dialog));
};
