import type { ConfirmStart } from "@signalbox/agent";
import { needsNoQuestion } from "../trust.ts";
import { readFolderFiles } from "./folder-files.ts";
import { askForServers } from "./server-questions.ts";
import { askForTrust } from "./trust-question.ts";

/**
 * Before an agent begins on a terminal: whether the person there trusts the folder, and which of its
 * MCP servers they want. Whoever does not trust it, or leaves, has nothing started, as in Claude Code.
 */
export const confirmStart: ConfirmStart = async (place, dialog) => {
  const files = readFolderFiles(place);
  const isTrusted = needsNoQuestion(place) || (await askForTrust(place, files, dialog));
  return isTrusted && (await askForServers(place, files, dialog));
};
