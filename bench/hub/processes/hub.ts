// The hub without a runner of its own. Arguments: its data folder, and the folder of the page if it is to serve one.
import { startHub } from "@signalbox/hub";
import { answerOnStdin } from "./measured.ts";

const [data = "", page] = process.argv.slice(2);
const hub = await startHub({
  data,
  version: "bench",
  port: 0,
  ...(page !== undefined && { page }),
});
answerOnStdin({ url: hub.url, code: hub.firstPairing()?.code });
