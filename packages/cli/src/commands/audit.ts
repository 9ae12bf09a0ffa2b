import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import type { AuditEntry, AuditPage } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { SeenAuditHeads } from "../hub/seen-audit-heads.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { describeSignatures } from "../hub/describe-signatures.ts";
import { formatTable } from "../hub/table.ts";
import { formatTimestamp } from "../hub/times.ts";
import type { Command } from "../command.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { truncate } from "../terminal/layout.ts";

export const auditCommand: Command = {
  help: `Usage: signalbox audit [--limit N] [--verify] [--json]

Shows the hub's audit log, the newest last: who let in, started, allowed and denied what. Of a
request that was answered it shows the tool and its command or path, and of one that was allowed
with changes what was allowed instead. Every entry holds the hash of the one before it.

  --limit N         the last N (default 50)
  --verify          walk the whole chain; exit code ${exitCode.agentError} when an entry does not fit, when
                    somebody else than the hub wrote one, or when one is gone whose head a command
                    here has seen; those heads are kept in $XDG_STATE_HOME/signalbox or
                    ~/.local/state/signalbox
  --json            one JSON object a line
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
  const kept = new SeenAuditHeads();
  const heads = kept.get(hub.id);
  const [devices, page] = await Promise.all([
    hub.devices(),
    hub.audit({ limit, verify: values.verify === true, heads }),
  ]);
  kept.add(hub.id, page.head);
  const entries = page.entries.toReversed();
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  if (values.json) for (const entry of entries) console.log(formatJsonLine(entry));
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

/** What became of a request, the tool, and what it was about to do. */
function formatAnswer(facts: AuditEntry["facts"]): string {
  const text = (name: string) => (typeof facts[name] === "string" ? facts[name] : "");
  const { behavior, message } = (facts["decision"] ?? {}) as {
    behavior?: string;
    message?: unknown;
  };
  const words = behavior === undefined ? "not answered in time" : (behaviorLabels[behavior] ?? "");
  const reason = typeof message === "string" && message !== "" ? ` (${message})` : "";
  const input = text("input") || text("title"); // An entry of an older hub has no input.
  const about = [text("tool"), input].filter(Boolean).join(": ");
  const edited = text("edited");
  const line =
    edited === ""
      ? `${words}${reason} ${about}`
      : `allowed with changes ${text("tool")}: ${edited} (asked for: ${input})`;
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
    console.error(`All ${count} entries fit. ${describeSignatures(verified)} The head is ${head}.`);
    return exitCode.success;
  }
  console.error(`${escapeForTerminal(why ?? "")} Entries up to ${broken - 1} hold.`);
  return exitCode.agentError;
}
