import { createContext } from "react";

/** The file in which diagrams are drawn. Undefined: they are shown as text, as in pages of other programs. */
export const DiagramFrameAddress = createContext<string | undefined>("/diagram.html");
