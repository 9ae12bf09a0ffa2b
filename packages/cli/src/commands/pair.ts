import { renderUnicodeCompact } from "uqr";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { isLoopbackUrl } from "@signalbox/protocol/proxy";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import type { CliCommand } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";
import { formatCount } from "../run/describe-tool.ts";

const roles = ["viewer", "driver", "approver", "admin"] as const;

export const pairCommand: CliCommand = {
  help: `Usage: signalbox pair [options]

Creates a pairing link for one device (single use, expires in five minutes). Shows a QR code too
if other devices can reach the hub, that is, if it was started with --host or --name and TLS or a
proxy. Whoever opens the link first is paired: keep it secret.

Options:
  --role ROLE        Role of the device: viewer (view only) or driver (send messages, start and
                     stop) (default: driver). Approvers and admins are paired by an approver or
                     admin in the page, under Settings, Pair a device, because an agent could run
                     this command too. Add machines with \`signalbox machines add\`
  --no-qr            Print the link only
${dataHelp}`,
  run,
};

const LOOPBACK_ONLY =
  "This link only works in a browser on this machine, so there is no QR code. To pair a phone, start the hub with --host, --name and TLS (see `signalbox serve --help`).";

async function run(args: string[]): Promise<ExitCode> {
  const options = {
    ...dataOption,
    role: { type: "string", default: "driver" },
    "no-qr": { type: "boolean" },
  } as const;
  const { values } = parseOptions({ args, options });
  const role = parseChoice("--role", values.role, roles);
  using hub = await connectLocalHub(values.data);
  const { url, expiresAt } = await hub.createPairing(role);
  const isLocal = isLoopbackUrl(url);
  if (!values["no-qr"] && !isLocal) console.log(`${renderUnicodeCompact(url, { border: 2 })}\n`);
  console.log(url);
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  console.error(`Pairs one ${role}. Single use, expires in ${formatCount(minutes, "minute")}.`);
  if (isLocal) console.error(LOOPBACK_ONLY);
  return exitCode.success;
}
