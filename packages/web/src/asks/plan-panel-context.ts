import { createContext } from "react";

/** Whether there is a panel beside the conversation in which a plan can be read. */
export const PlanPanelContext = createContext(false);
