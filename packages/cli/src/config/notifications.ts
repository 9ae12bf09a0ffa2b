import type { CliCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { parseOptions } from "../options.ts";
import { getSettingsPage } from "./change.ts";

export const notificationsSection: CliCommand = {
  help: `Usage: signalbox config notifications

Notifications are shown by a browser and set in that browser, so there is nothing to set here.
Prints the address of their settings.

Options:
${dataHelp}`,
  async run(args) {
    const { values } = parseOptions({ args, options: dataOption });
    using hub = await connectLocalHub(values.data);
    console.log(`Notifications are set in each browser: ${getSettingsPage(hub, "notifications")}`);
    return exitCode.success;
  },
};
