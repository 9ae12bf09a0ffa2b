/** Text of agents and people made safe to show, without schemas: for terminals, logs and web pages. */
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
