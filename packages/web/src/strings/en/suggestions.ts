/** The rules that an agent suggests along with a request: what each changes, and where. */
export const suggestions = {
  allow: (rules: string) => `Always allow ${rules}`,
  deny: (rules: string) => `Always deny ${rules}`,
  ask: (rules: string) => `Always ask for ${rules}`,
  replacing: (change: string) => `${change}, replacing the current rules`,
  removeRules: (rules: string) => `Remove the rules ${rules}`,
  addFolders: (folders: string) => `Also allow access to ${folders}`,
  removeFolders: (folders: string) => `Remove access to ${folders}`,
  everyCall: (tool: string) => `all ${tool} calls`,
  modes: {
    acceptEdits: "Edit files without asking (acceptEdits mode)",
    plan: "Plan only, make no changes (plan mode)",
    default: "Ask before changes (default mode)",
    bypassPermissions: "Never ask (bypassPermissions mode)",
    dontAsk: "Never ask; deny what isn't allowed (dontAsk mode)",
  } as Readonly<Record<string, string>>,
  otherMode: (mode: string) => `Switch to ${mode} mode`,
  scopes: {
    session: "in this session",
    localSettings: "in this project, only for you",
    projectSettings: "in this project, for everyone",
    userSettings: "in all your projects",
    cliArg: "until the agent stops",
  } as Readonly<Record<string, string>>,
  otherScope: (destination: string) => `stored in ${destination}`,
} as const;
