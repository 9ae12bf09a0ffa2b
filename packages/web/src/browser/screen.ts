/** Whether the window is as narrow as a phone's, so that there is room for the most important controls only. */
export function isNarrowScreen(): boolean {
  return matchMedia("(width < 640px)").matches;
}

/** Whether this is a touch screen. Its keyboard must not pop up by itself, and its Enter key makes a new line. */
export function isTouchOnly(): boolean {
  return typeof matchMedia !== "undefined" && matchMedia("(pointer: coarse)").matches;
}
