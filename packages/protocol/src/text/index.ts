/**
 * Makes text from agents and people safe to show in terminals, logs and web pages. Loads no
 * schemas.
 */
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
