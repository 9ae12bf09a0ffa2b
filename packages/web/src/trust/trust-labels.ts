import type { FolderFinding, SessionTrust } from "@signalbox/api";

/** What a finding of each kind does, before its text. */
const kindLabels: Readonly<Record<string, string>> = {
  hook: "Runs a hook",
  command: "Runs a program",
  "mcp-server": "Starts or calls an MCP server",
  variable: "Sets a variable",
  permission: "Allows without asking",
  plugin: "Brings a plugin",
  script: "Runs a shell command",
  git: "Runs a program through Git",
  setting: "Sets",
  unreadable: "Cannot be read",
};

export function findingLabel({ kind }: Pick<FolderFinding, "kind">): string {
  return kindLabels[kind] ?? kind;
}

/** The headline of the notice, by how the session stands; undefined: there is nothing to say. */
export function trustHeading(state: SessionTrust["state"]): string | undefined {
  switch (state) {
    case "off":
      return "This folder brings code of its own. It is off until somebody trusts it.";
    case "changed":
      return "This folder's own code has changed since it was trusted. The change is off.";
    case "kept-off":
      return "This folder's own code is off.";
    case "restart":
      return "This folder is trusted. Its own code counts from the next run on.";
    case "ends":
      return "This folder is no longer trusted. Its own code counts until this run ends.";
    case "trusted":
      return undefined;
    default:
      return state satisfies never;
  }
}

/** What is shown of what a folder brings: of a change, only what is new. */
export function selectFindings(
  state: SessionTrust["state"],
  findings: readonly FolderFinding[],
  untrusted: readonly string[],
): readonly FolderFinding[] {
  return state === "changed" ? findings.filter(({ id }) => untrusted.includes(id)) : findings;
}
