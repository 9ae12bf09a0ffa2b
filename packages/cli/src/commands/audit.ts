import { escapeForTerminal } from "@signalbox/protocol/text";
import { printJsonLines } from "../terminal/json-line.ts";
import type { AuditEntry, AuditPage } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { SeenAuditHeads } from "../hub/seen-audit-heads.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { describeSignatures } from "../hub/describe-signatures.ts";
import { formatTable } from "../hub/table.ts";
import { formatTimestamp } from "../hub/times.ts";
import type { CliCommand } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";
import { truncate } from "../terminal/layout.ts";

export const auditCommand: CliCommand = {
  help: `Usage: signalbox audit [options]

Shows the hub's audit log, newest entry last: pairings, starts, and who allowed or denied what.
Answered requests are shown with the tool and its command or path, and with the changed input if
they were allowed with changes. Each entry contains the hash of the entry before it.

Options:
  --limit N          Number of entries to show (default: 50)
  --verify           Verify the whole chain. The exit code is ${exitCode.agentError} if an entry does not match, if
                     the hub did not write it, or if an entry that a command on this machine
                     has seen before is missing (remembered in $XDG_STATE_HOME/signalbox or
                     ~/.local/state/signalbox)
  --json             Print one JSON object per line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      ...dataOption,
      limit: { type: "string", default: "50" },
      verify: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const limit = Math.max(1, parseInteger("--limit", values.limit, 1000));
  using hub = await connectLocalHub(values.data);
  const seenHeads = new SeenAuditHeads();
  const heads = seenHeads.get(hub.id);
  const [devices, page] = await Promise.all([
    hub.devices(),
    hub.audit({ limit, verify: values.verify === true, heads }),
  ]);
  seenHeads.add(hub.id, page.head);
  const entries = page.entries.toReversed();
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  if (values.json) printJsonLines(entries);
  else for (const line of formatAuditTable(entries, names)) console.log(line);
  return page.verified ? reportVerification(page, page.verified) : exitCode.success;
}

export function formatAuditTable(
  entries: readonly AuditEntry[],
  names: Map<string, string>,
): string[] {
  const rows = entries.map(({ nth, at, what, by, facts }) => {
    const who = by === undefined ? "" : (names.get(by) ?? by);
    const isAnswer = what === "answered" || what === "expired";
    const more = isAnswer ? formatAnswer(facts) : truncate(joinLines(JSON.stringify(facts)), 80);
    return [String(nth), formatTimestamp(at), joinLines(what), joinLines(who), more];
  });
  return formatTable(rows, [0]);
}

/** Describes how a request was answered, its tool and its input. */
function formatAnswer(facts: AuditEntry["facts"]): string {
  const text = (name: string) => (typeof facts[name] === "string" ? facts[name] : "");
  const { behavior, message } = (facts["decision"] ?? {}) as {
    behavior?: string;
    message?: unknown;
  };
  const words = behavior === undefined ? "expired" : (behaviorLabels[behavior] ?? "");
  const reason = typeof message === "string" && message !== "" ? ` (${message})` : "";
  const input = text("input") || text("title"); // Entries of older hubs have no input.
  const about = [text("tool"), input].filter(Boolean).join(": ");
  const edited = text("edited");
  const line =
    edited === ""
      ? `${words}${reason} ${about}`
      : `allowed with changes ${text("tool")}: ${edited} (requested: ${input})`;
  return truncate(joinLines(line), 1000);
}

const behaviorLabels: Readonly<Record<string, string>> = {
  allow: "allowed",
  deny: "denied",
  answer: "answered",
  accept: "accepted",
  result: "answered",
};

function joinLines(text: string): string {
  return escapeForTerminal(text).replaceAll(/[\n\t]/g, " ");
}

function reportVerification(
  { head }: AuditPage,
  verified: NonNullable<AuditPage["verified"]>,
): ExitCode {
  const { count, broken, why } = verified;
  if (broken === null) {
    console.error(
      `Verified, ${formatCount(count, "entry", "entries")}. ${describeSignatures(verified)} Head: ${head}.`,
    );
    return exitCode.success;
  }
  console.error(`${escapeForTerminal(why ?? "")} Entries up to ${broken - 1} are valid.`);
  return exitCode.agentError;
}
