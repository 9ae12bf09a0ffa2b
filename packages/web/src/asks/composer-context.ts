import { createContext } from "react";

/** Whether the composer of the session is in sight: its text can then be the message of a denial. */
export const ComposerContext = createContext(false);
