/** How an agent without a network reaches its model. */
export type ModelEndpoint =
  /** A server on this machine: the same port is available inside. */
  | { readonly kind: "port"; readonly port: number }
  /** Servers elsewhere: a proxy inside allows connections to these hosts only. */
  | { readonly kind: "proxy"; readonly hosts: readonly string[] };

/** The API, and the servers where Claude Code renews a login. */
const anthropic = ["api.anthropic.com:443", "console.anthropic.com:443", "platform.claude.com:443"];
const otherProviders = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Finds the model's address in the agent's environment; a text explains why it cannot be made
 * available inside.
 */
export function findModelEndpoint(env: Readonly<Record<string, string>>): ModelEndpoint | string {
  const provider = otherProviders.find((name) => env[name]);
  if (provider !== undefined) return `with ${provider} it is not known which hosts the model needs`;
  if (env["HTTPS_PROXY"] || env["https_proxy"]) return "the model is behind a proxy (HTTPS_PROXY)";
  const base = env["ANTHROPIC_BASE_URL"];
  if (base === undefined || base === "") return { kind: "proxy", hosts: anthropic };
  if (!URL.canParse(base)) return "ANTHROPIC_BASE_URL is not an address";
  const { protocol, hostname, port } = new URL(base);
  if (protocol === "https:") {
    return { kind: "proxy", hosts: [...anthropic, `${hostname}:${port === "" ? "443" : port}`] };
  }
  if (protocol === "http:" && loopback.has(hostname)) {
    return { kind: "port", port: port === "" ? 80 : Number(port) };
  }
  return "ANTHROPIC_BASE_URL leads to another machine without TLS";
}
