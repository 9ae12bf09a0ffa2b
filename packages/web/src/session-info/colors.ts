import type { SessionColour } from "@signalbox/api";

/** The order in which colors are offered. `session-mark.css` defines them. */
const order: Readonly<Record<SessionColour, number>> = {
  red: 0,
  orange: 1,
  olive: 2,
  green: 3,
  teal: 4,
  blue: 5,
  violet: 6,
  pink: 7,
};
export const sessionColors = Object.keys(order) as readonly SessionColour[];
