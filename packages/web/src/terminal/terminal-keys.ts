/** What a key press in a terminal is for: the program, the page, or one of the terminal's own actions. */
type KeyTarget = "program" | "page" | "find" | "copy" | "paste";

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/**
 * Nearly every key belongs to the program in the terminal. The page keeps Ctrl+J, Alt with an arrow up or
 * down, and on a Mac all keys with Cmd, which programs never see.
 */
export function findKeyTarget(press: Press, isMac: boolean): KeyTarget {
  if (isMac && press.metaKey) return press.code === "KeyF" ? "find" : "page";
  if (press.altKey && !press.ctrlKey && /^Arrow(?:Up|Down)$/.test(press.key)) return "page";
  if (!press.ctrlKey || press.altKey || press.metaKey) return "program";
  if (!press.shiftKey) return press.code === "KeyJ" ? "page" : "program";
  switch (press.code) {
    case "KeyF":
      return "find";
    case "KeyC":
      return "copy";
    case "KeyV":
      return "paste";
    default:
      return "program";
  }
}
