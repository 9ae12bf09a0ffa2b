// The real runner. Arguments: hub's address, data folder, home; token and id come on the first line of input.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { locateHub, startRunner } from "@signalbox/runner";
import { readDeviceSigningKey } from "@signalbox/runner/keys";
import { answerOnStdin } from "./measured.ts";

const [hub = "", dataFolder = "", home = ""] = process.argv.slice(2);
const first = createInterface({ input: process.stdin });
const [line] = (await once(first, "line")) as [string];
first.removeAllListeners();
const told = JSON.parse(line) as { key: string; hubKey: string; runner: string };
const key = readDeviceSigningKey(told.key);
if (!key) throw new Error("not a key");
const { runner } = told;
const inheritFrom = { HOME: home, PATH: process.env["PATH"], LANG: "C.UTF-8" };
const find = (over: AbortSignal) => locateHub({ url: hub, key: told.hubKey }, over);
await startRunner({ hub: find, key, runner, dataFolder, own: true, inheritFrom });
answerOnStdin({ pid: process.pid });
