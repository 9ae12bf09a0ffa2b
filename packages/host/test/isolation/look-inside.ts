// Prints what a command that is started as an agent would be says. Arguments: the hidden folder, then the
// command for the shell.
import { spawnSync } from "node:child_process";
import { Isolation } from "@signalbox/host/isolation";

const [hidden = "", script = ""] = process.argv.slice(2);
const env = { PATH: process.env["PATH"] ?? "" };
const plan = await new Isolation({ hide: [hidden] }).plan({ folder: "/" }, "/", env);
const { command, args } = plan.wrap({ command: "/bin/sh", args: ["-c", script], env });
spawnSync(command, args, { env, stdio: ["ignore", "inherit", "inherit"] });
