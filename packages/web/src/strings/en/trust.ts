/** Trust in the code that a folder contains. */
export const trust = {
  label: "Trust in this folder",
  headings: {
    off: "This folder contains code that runs automatically. It is off until you trust the folder.",
    changed: "The code in this folder has changed since you trusted it. The changes are off.",
    "kept-off": "The code in this folder is off.",
    restart: "This folder is trusted. Its code runs the next time the agent starts.",
    ends: "This folder is no longer trusted. Its code stays active until the agent stops.",
  },
  folderNote: (count: number) =>
    `This folder contains ${
      count === 1 ? "1 item" : `${count} items`
    } that would run or be allowed automatically. Everything stays off until you trust the folder in the session.`,
  kinds: {
    hook: "Runs a hook",
    command: "Runs a program",
    "mcp-server": "Starts or calls an MCP server",
    variable: "Sets a variable",
    permission: "Allows without asking",
    plugin: "Installs a plugin",
    script: "Runs a shell command",
    git: "Runs a program through Git",
    setting: "Changes a setting",
    unreadable: "Can't be read",
  } as Readonly<Record<string, string>>,
  show: "Show what would run",
  consequence:
    "If you trust this folder, Claude Code runs and allows the following as you, without asking:",
  findings: "What this folder would run",
  unreadable: "You can't trust this folder until the unreadable files are fixed or removed.",
  approverOnly: "Only a device with the approver role can decide this.",
  trust: "Trust folder",
  scrollFirst: "Scroll to the end to trust",
  keepOff: "Keep off",
  couldNotSave: "Couldn't save your decision",
  restart: "Restart agent",
  couldNotRestart: "Couldn't restart the agent",
} as const;
