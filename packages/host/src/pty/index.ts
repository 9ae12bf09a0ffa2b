export { type Pty, type PtyExit, type PtyOptions, startPty } from "./pty.ts";
export { limitSize, Screen, SCROLLBACK_LINES, type TerminalSize } from "./screen.ts";
export { Terminal } from "./terminal.ts";
export { TerminalFilter } from "./terminal-filter.ts";
