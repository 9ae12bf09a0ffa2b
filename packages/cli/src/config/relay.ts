import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { UsageError } from "../usage-error.ts";
import { changeSetting } from "./change.ts";
import { describeRelay } from "./describe-relay.ts";

export const relaySection: CliCommand = {
  help: `Usage: signalbox config relay [--json]
       signalbox config relay on
       signalbox config relay off

Shows whether agents that run elsewhere can dial in to this hub, and turns the relay on or off. A
change takes effect when the hub is next started. A hub that was started with --relay has its relay
on whatever is set here. \`signalbox relay\` prints the address and the secret for an agent.

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
  const [action, ...others] = positionals;
  const isKnown = action === undefined || action === "on" || action === "off";
  if (!isKnown || others.length > 0) throw new UsageError("Use on or off, or neither to show it.");
  using hub = await connectLocalHub(values.data);
  if (action !== undefined) {
    const setting = { subject: "Turning the relay on or off", section: "relay" };
    await changeSetting(hub, { ...setting, role: "approver" }, (approver) =>
      approver.setRelay(action === "on"),
    );
  }
  const state = await hub.relay();
  console.log(values.json ? formatJsonLine(state) : `The relay is ${describeRelay(state)}.`);
  return exitCode.success;
}
