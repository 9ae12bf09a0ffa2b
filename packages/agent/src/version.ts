/**
 * The version of Claude Code whose protocol the kit speaks. Hosts decide by it what they may send.
 */
export const CLAUDE_CODE_VERSION = "2.1.325";
