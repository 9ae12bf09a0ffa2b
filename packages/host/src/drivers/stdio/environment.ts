import { extendSearchPath, type Environment } from "./search-path.ts";

/**
 * What of our own environment an agent may see: an allow-list, so that secrets of the hub, of other
 * tools and of an agent that started us stay here. `docs/environment.md` explains each group; a test
 * keeps the two together. `*` at the end stands for any ending.
 */
export const inheritedVariables = {
  "who and where": ["HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TEMP", "TMP", "XDG_*"],
  "language and time": ["LANG", "LANGUAGE", "LC_*", "TZ"],
  "terminal and desktop": ["TERM", "COLORTERM", "NO_COLOR", "DISPLAY", "WAYLAND_DISPLAY", "EDITOR"],
  "keys and Git": [
    "SSH_AUTH_SOCK",
    "GPG_TTY",
    "GIT_AUTHOR_*",
    "GIT_COMMITTER_*",
    "GIT_SSH_COMMAND",
  ],
  "proxies and certificates": [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CLAUDE_CODE_CLIENT_*",
  ],
  "model providers": [
    "ANTHROPIC_*",
    "CLAUDE_CODE_USE_*",
    "CLAUDE_CODE_SKIP_*",
    "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
    "AWS_*",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "GCLOUD_PROJECT",
    "CLOUD_ML_REGION",
    "VERTEX_*",
    "AZURE_*",
  ],
  "how Claude Code behaves": [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_DISABLE_*",
    "CLAUDE_CODE_ENABLE_TELEMETRY",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_SUBAGENT_MODEL",
    "CLAUDE_CODE_EFFORT_LEVEL",
    "DISABLE_*",
    "MAX_THINKING_TOKENS",
    "MAX_MCP_OUTPUT_TOKENS",
    "BASH_DEFAULT_TIMEOUT_MS",
    "BASH_MAX_TIMEOUT_MS",
    "BASH_MAX_OUTPUT_LENGTH",
    "MCP_TIMEOUT",
    "MCP_TOOL_TIMEOUT",
    "OTEL_*",
    "IS_SANDBOX",
  ],
  "tool chains": [
    "NVM_DIR",
    "FNM_DIR",
    "VOLTA_HOME",
    "BUN_INSTALL",
    "PNPM_HOME",
    "JAVA_HOME",
    "GOPATH",
    "GOROOT",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "DOCKER_HOST",
    "KUBECONFIG",
  ],
  Windows: ["SYSTEMROOT", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE"],
} as const satisfies Record<string, readonly string[]>;

const names = new Set<string>();
const beginnings: string[] = [];
for (const name of Object.values(inheritedVariables).flat()) {
  if (name.endsWith("*")) beginnings.push(name.slice(0, -1));
  else names.add(name);
}

/** Carried by every process that a run starts, so that strays can be found and ended. */
export const RUN_MARKER = "SIGNALBOX_RUN";

/** Claude Code keeps copies of files, to which it can be rewound, for hosts that want them. */
export const CHECKPOINTS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" };
/** …and newer versions keep a list of what there is to do only for those. */
export const TODO_LIST = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };

/**
 * The agent's environment. `CLAUDECODE` (which would make it believe it runs inside another agent)
 * and a `CLAUDE_CODE_OAUTH_TOKEN` that may be stale are not on the list; a launch can add the latter.
 */
export function agentEnvironment(
  from: Environment,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && isInherited(name)) passed[name] = value;
  }
  passed["PATH"] = extendSearchPath(from);
  const { CLAUDECODE: _, ...rest } = { ...passed, ...added };
  return rest;
}

function isInherited(name: string): boolean {
  return names.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}
