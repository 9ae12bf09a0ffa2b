import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import type { DeviceView } from "@signalbox/client";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import { dataHelp, dataOption, connectLocalHub } from "../hub/local-hub.ts";
import { shortId } from "../hub/pick-session.ts";
import { formatTable } from "../hub/table.ts";
import { formatDuration } from "../hub/times.ts";
import type { Command } from "../command.ts";
import { parseOptions } from "../options.ts";
import { createStyle } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";

export const devicesCommand: Command = {
  help: `Usage: signalbox devices [--json]
       signalbox devices revoke DEVICE

Shows every paired device with its role. Revoking one, by the beginning of its id or by its
name, closes its connections at once.

  --json            one JSON object a line
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = { ...dataOption, json: { type: "boolean" } } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const [action, meant, ...more] = positionals;
  if (action !== undefined && (action !== "revoke" || meant === undefined || more.length > 0)) {
    throw new UsageError("Say `signalbox devices`, or `signalbox devices revoke DEVICE`.");
  }
  using hub = await connectLocalHub(values.data);
  const devices = await hub.devices();
  if (meant !== undefined) {
    const device = pickDevice(devices, meant);
    await hub.revokeDevice(device.id);
    console.log(`${escapeForTerminal(device.name)} is no longer let in.`);
    const also = device.you ? [] : (device.pairedDevices ?? []);
    for (const { name } of also) {
      console.log(
        `${escapeForTerminal(name)}, which was paired from it, is no longer let in either.`,
      );
    }
  } else if (values.json) {
    for (const device of devices) console.log(formatJsonLine(device));
  } else {
    const style = createStyle(process.stdout, process.env);
    for (const line of formatDeviceTable(devices, Date.now(), style)) console.log(line);
  }
  return exitCode.success;
}

function formatDeviceTable(
  devices: readonly DeviceView[],
  now: number,
  style: ReturnType<typeof createStyle>,
): string[] {
  const rows = devices.map((device) => {
    const { name, role, lastSeenAt, expiresAt, you } = device;
    const seen =
      lastSeenAt === undefined ? "never seen" : `seen ${formatLastSeen(now - lastSeenAt)}`;
    const left =
      expiresAt === Number.MAX_SAFE_INTEGER ? "does not expire" : formatExpiry(expiresAt - now);
    return [
      style.dim(shortId(device)),
      escapeForTerminal(name),
      role,
      seen,
      left,
      you ? "this one" : "",
    ];
  });
  return formatTable(rows);
}

function formatExpiry(ms: number): string {
  return ms > 0 ? `expires in ${formatDuration(ms)}` : "expired";
}

function formatLastSeen(ms: number): string {
  const time = formatDuration(ms);
  return time === "now" ? time : `${time} ago`;
}

function pickDevice(devices: readonly DeviceView[], meant: string): DeviceView {
  const text = meant.toLowerCase();
  const found = devices.filter(
    ({ id, name }) => (text.length >= 4 && id.startsWith(text)) || name.toLowerCase() === text,
  );
  const [device] = found;
  if (device && found.length === 1) return device;
  throw device
    ? new CommandError(
        exitCode.usage,
        `"${escapeForTerminal(meant)}" may be any of several; name one by its id.`,
      )
    : new CommandError(exitCode.notFound, `There is no device "${escapeForTerminal(meant)}".`);
}
