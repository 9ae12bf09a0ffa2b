import { en } from "./en/index.ts";

/** Everything the page says to a person. One catalog per language; English is the only one so far. */
type Strings = typeof en;
export const strings: Strings = en;
