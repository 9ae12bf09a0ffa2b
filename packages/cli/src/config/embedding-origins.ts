import { escapeForTerminal } from "@signalbox/protocol/text";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";

export const embeddingOriginsSection: CliCommand = {
  help: `Usage: signalbox config embedding-origins [list] [--json]
       signalbox config embedding-origins add ORIGIN
       signalbox config embedding-origins remove ORIGIN

Shows and changes the origins of other programs' pages that may use this hub, such as
https://app.example.com. A page there needs a pairing code for a viewer or a driver; no other device
works there. Without encryption only pages of this machine are allowed (http://localhost:3000).

Changes need an approver, whose device confirms this terminal.

Options:
  --json             Print JSON
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { ...dataOption, json: { type: "boolean" } },
  });
  const [action = "list", origin, ...others] = positionals;
  const isKnown = origin === undefined ? action === "list" : ["add", "remove"].includes(action);
  if (!isKnown || others.length > 0) {
    throw new UsageError("Use list, add ORIGIN or remove ORIGIN.");
  }
  using hub = await connectLocalHub(values.data);
  const { origins } = await hub.embeddingOrigins();
  if (origin !== undefined) {
    if (action === "remove" && !origins.includes(origin)) {
      const detail = `${escapeForTerminal(origin)} is not in the list of embedding origins.`;
      throw new CommandError(exitCode.notFound, detail);
    }
    const left = origins.filter((each) => each !== origin);
    const next = action === "add" ? [...left, origin] : left;
    const setting = { subject: "Changing the embedding origins", section: "devices" };
    await changeSetting(hub, { ...setting, role: "approver" }, (approver) =>
      approver.setEmbeddingOrigins(next),
    );
  }
  const after = await hub.embeddingOrigins();
  if (values.json) console.log(formatJsonLine(after.origins));
  else for (const each of after.origins) console.log(escapeForTerminal(each));
  return exitCode.success;
}
