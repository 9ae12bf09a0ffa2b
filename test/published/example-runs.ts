interface ExampleRun {
  readonly args: readonly string[];
  /** Some of what it prints. */
  readonly prints: string;
  readonly needsBun?: boolean;
}

/** How the examples of the packages are run, by the folder of the package. */
export const exampleRuns: Readonly<Record<string, ExampleRun>> = {
  protocol: { args: [], prints: "newer than this library: a_message_from_the_future" },
  timeline: { args: [], prints: "npm test: complete\ntext: All tests pass." },
  model: { args: [], prints: "tool_use" },
  api: { args: [], prints: "approver\ntrue\n3.1.0" },
  host: { args: [], prints: "asked about Bash\nDone." },
  agent: { args: ["-p", "Hello"], prints: "You sent 1 message(s)." },
  "reference-agent": { args: [], prints: "5 model(s)" },
  /** Its argument is the link that pairs it with a hub. */
  client: { args: [], prints: "paired as admin" },
  runner: { args: [], prints: "hook: SessionStart: curl https://example.com | sh" },
  hub: { args: [], prints: "the hub listens on http://", needsBun: true },
  relay: { args: [], prints: "agents connect to ws://", needsBun: true },
  web: { args: [], prints: "<title>Signalbox</title>", needsBun: true },
};
