/** Other words under which the search of the settings finds each setting. */
export const settingKeywords = {
  general: {
    theme: "appearance dark light color mode",
    dates: "format relative clock",
    enterSends: "newline composer keys",
    shortcuts: "keys hotkeys help",
  },
  agents: {
    add: "claude code program npm version path",
    model: "opus sonnet haiku",
    driver: "stdio sdk sdk-url",
    flags: "options arguments",
  },
  accounts: {
    addProfile: "environment variables",
    addAccount: "CLAUDE_CONFIG_DIR login subscription",
    addGateway: "ANTHROPIC_BASE_URL proxy bedrock vertex api key token secret",
  },
  permissions: {
    permission: "policy supervised plan accept edits ask first",
    limit: "request timeout expire deny stop countdown",
  },
  trust: {
    folders: "hooks mcp revoke",
    allowedFolders: "roots driver command line",
  },
  machines: {
    add: "runner pair computer host",
  },
  devices: {
    pair: "qr code phone browser link role",
    list: "revoke last seen token key unpair",
  },
  import: {
    on: "claude projects transcripts old sessions copy history",
    folders: "config CLAUDE_CONFIG_DIR account",
  },
  relay: {
    status: "dial in on off address",
    create: "secret address invite",
    neighbors: "attach detach discovery connect",
  },
  notifications: {
    show: "alerts needs you",
    projects: "mute",
  },
  audit: {
    verify: "log chain check",
    export: "log download json",
  },
  about: {
    version: "release",
    database: "integrity check",
    licenses: "geist font open source",
  },
} as const;
