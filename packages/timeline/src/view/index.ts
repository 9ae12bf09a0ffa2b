/**
 * The rules about items that servers, browsers and terminals share. Nothing here loads a schema library
 * or a module of Node, so a web page can import it.
 */
export { type DiffLine, diffLines } from "../diff/line-diff.ts";
export type { Hunk } from "../diff/hunk.ts";
export { createPatch } from "../diff/patch.ts";
export { growingText, isFinished, isGrowing, replaceGrowingText } from "./growing.ts";
