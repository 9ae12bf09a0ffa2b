import type { FolderFinding, SessionTrust } from "@signalbox/api";

/** The label of each kind of finding. */
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

/** The heading of the notice. Undefined if there is nothing to show. */
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

/** The findings to show. After a change, only the new ones. */
export function selectFindings(
  state: SessionTrust["state"],
  findings: readonly FolderFinding[],
  untrusted: readonly string[],
): readonly FolderFinding[] {
  return state === "changed" ? findings.filter(({ id }) => untrusted.includes(id)) : findings;
}
