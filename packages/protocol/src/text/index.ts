/**
 * Makes text from agents and people safe to show in terminals, logs and web pages. Loads no
 * schemas.
 */
export { isSlashCommand } from "./slash-command.ts";
export {
  codePointLabel,
  escapeForTerminal,
  escapeInJson,
  isPlainLine,
  isPlainName,
  removeHiddenCharacters,
  toPlainName,
} from "./escape.ts";
export { hasHiddenCharacters, hiddenCharacters, type TextUse } from "./hidden-characters.ts";

export { errorMessage } from "./error-message.ts";
export { splitCommand } from "./split-command.ts";
