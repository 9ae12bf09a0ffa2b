import { renderUnicodeCompact } from "uqr";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { dataHelp, dataOption, localHub } from "../hub/local-hub.ts";
import type { Command } from "../main.ts";
import { oneOf, parsed } from "../options.ts";

const roles = ["viewer", "driver", "approver", "admin", "runner"] as const;

export const pairCommand: Command = {
  help: `Usage: signalbox pair [--role ROLE]

Prints a link, and the same as a QR code, that pairs one device, once, within five minutes.
Whoever opens it first gets in: treat it like a key.

  --role ROLE       viewer (looks), driver (sends, starts, stops; the usual one). Approvers,
                    admins and runners are made on an approver's device, in the page: what an
                    agent could type in a shell must not make one.
  --no-qr           the link alone
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = {
    ...dataOption,
    role: { type: "string", default: "driver" },
    "no-qr": { type: "boolean" },
  } as const;
  const { values } = parsed({ args, options });
  const role = oneOf("--role", values.role, roles);
  using hub = await localHub(values.data);
  const { url, expiresAt } = await hub.createPairing(role);
  if (!values["no-qr"]) console.log(`${renderUnicodeCompact(url, { border: 2 })}\n`);
  console.log(url);
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  console.error(`Lets one ${role} in, once, within ${minutes} minutes.`);
  return exitCode.success;
}
