// The hub without a runner of its own. Argument: its data folder.
import { startHub } from "@signalbox/hub";
import { answerOnStdin } from "./measured.ts";

const hub = await startHub({ data: process.argv[2] ?? "", version: "bench", port: 0 });
answerOnStdin({ url: hub.url, code: hub.firstPairing()?.code });
