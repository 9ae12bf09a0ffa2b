/** A process that holds a store until it is killed. */
import { openStore } from "@signalbox/hub/store";

const store = await openStore(process.argv[2] ?? "");
process.stdout.write(`held ${store.epoch}\n`);
setInterval(() => {}, 1000);
