import { versionText } from "@signalbox/agent/command-line";
import { spokenName } from "../model/models.ts";
import { ruleText } from "../permission/rule.ts";
import type { Session } from "../session.ts";
import { builtIn, builtInPrompts } from "./built-in.ts";

/** Further commands for a person at a terminal. */
export const screenAnswers: Readonly<Record<string, (session: Session) => string>> = {
  help,
  status,
  permissions: ({ permission }) => {
    const { allow, ask, deny } = permission.rules;
    const all = { allow, ask, deny };
    const rows = Object.entries(all).flatMap(([what, rules]) =>
      rules.map((rule) => `${what.padEnd(6)}${ruleText(rule)}  (${rule.source})`),
    );
    return [`Mode: ${permission.mode}`, ...rows].join("\n");
  },
};

function help({ commands }: Session): string {
  const all = [
    ...commands,
    ...builtIn,
    ...builtInPrompts,
    { name: "exit", description: "Leave" },
    { name: "help", description: "This list" },
    { name: "permissions", description: "Which rules decide about tools" },
    { name: "status", description: "Session, folder, model and servers" },
  ].toSorted((one, other) => one.name.localeCompare(other.name));
  const width = Math.max(...all.map(({ name }) => name.length)) + 3;
  const rows = all.map(({ name, description }) => `/${name}`.padEnd(width) + description);
  return ["Type what is to be done, or one of these. Ctrl-C stops a turn.", ...rows].join("\n");
}

function status(session: Session): string {
  const { context, credentials, mcp, modelName, permission } = session;
  const servers = mcp.all.map(({ name, status }) => `${name} (${status})`);
  return [
    `Version:  ${versionText}`,
    `Session:  ${context.sessionId}`,
    `Folder:   ${context.folder}`,
    `Key:      ${credentials.source}`,
    `Model:    ${spokenName(modelName)} (${modelName})`,
    `Mode:     ${permission.mode}`,
    ...(servers.length > 0 ? [`Servers:  ${servers.join(", ")}`] : []),
  ].join("\n");
}
