// The real runner. Arguments: hub's address, data folder, home; token and id come on the first line of input.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startRunner } from "@signalbox/runner";
import { answerOnStdin } from "./measured.ts";

const [hub = "", dataFolder = "", home = ""] = process.argv.slice(2);
const first = createInterface({ input: process.stdin });
const [line] = (await once(first, "line")) as [string];
first.removeAllListeners();
const { token, runner } = JSON.parse(line) as { token: string; runner: string };
const inheritFrom = { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8" };
await startRunner({ hub, token, runner, dataFolder, own: true, inheritFrom });
answerOnStdin({ pid: process.pid });
