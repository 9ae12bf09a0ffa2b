/** The groups in which the routes are documented. */
export const apiTags = {
  Sessions: "Conversations with agents: start, change, steer and delete them.",
  Messages: "Messages to an agent, kept by the hub until the agent has them.",
  Conversation: "What was said in a session: items, the log of lines, files and large bodies.",
  Changes: "What has changed in a session's folder, as Git sees it.",
  Files: "The files of a session's folder, to look at.",
  Terminals: "Shells beside a session, and agents in their own terminal UI.",
  Asks: "What agents wait for a person to decide.",
  Trust: "Whether code that a folder brings (hooks, MCP servers, settings) may run.",
  Devices: "Pairing, devices, tokens, tickets, and terminals that may approve for a while.",
  Hub: "The hub itself, its settings, its machines and its audit log.",
  Relay: "Agents that connect by themselves, and relays nearby.",
} as const satisfies Record<string, string>;
export type TagName = keyof typeof apiTags;
