import { renderUnicodeCompact } from "uqr";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { isLoopback } from "../hub/hub-address.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import type { Command } from "../command.ts";
import { parseChoice, parseOptions } from "../options.ts";

const roles = ["viewer", "driver", "approver", "admin"] as const;

export const pairCommand: Command = {
  help: `Usage: signalbox pair [--role ROLE]

Prints a link that pairs one device, once, within five minutes, and a QR code of it where the
hub can be reached from other devices: one that was started with --host or --name and TLS or a
proxy. Whoever opens the link first gets in: treat it like a key.

  --role ROLE       viewer (looks) or driver (sends, starts, stops; the usual one). Approvers
                    and admins are paired in the page, Settings, "Pair a device", by one who is
                    an approver or an admin: what an agent could type in a shell must not make
                    one. Another machine is added with \`signalbox machines add\`.
  --no-qr           the link alone
${dataHelp}`,
  run,
};

const LOOPBACK_ONLY =
  "This link works in a browser on this machine alone, so there is no QR code: a phone cannot open it. Start the hub with --host, --name and TLS to let other devices in: `signalbox serve --help`.";

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
  const nearby = isLoopback(url);
  if (!values["no-qr"] && !nearby) console.log(`${renderUnicodeCompact(url, { border: 2 })}\n`);
  console.log(url);
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  console.error(`Lets one ${role} in, once, within ${minutes} minutes.`);
  if (nearby) console.error(LOOPBACK_ONLY);
  return exitCode.success;
}
