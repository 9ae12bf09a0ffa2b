/** Quotes that a message refers to. The sources are part of the message that the agent receives. */
export const mentions = {
  label: "Mentions",
  button: "Mention",
  add: (source: string) => `Mention ${source} in your next message`,
  remove: (source: string) => `Remove ${source}`,
  about: (source: string) => `About ${source}`,
  /** How the message calls the agent's texts and the person's own, and how the page shows them. */
  agentMessage: "your message",
  agentMessageShown: "Claude's message",
  ownMessage: "my message",
  ownMessageShown: "Your message",
  file: (path: string) => `the file ${path}`,
  call: (tool: string) => `the ${tool} call`,
  callOnFile: (tool: string, path: string) => `the ${tool} call on ${path}`,
  selection: "this",
  line: (line: number) => `, line ${line}`,
  lines: (first: number, last: number) => `, lines ${first}-${last}`,
  omitted: (characters: number) => `… (${characters} characters omitted)`,
} as const;
