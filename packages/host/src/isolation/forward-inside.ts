// This program runs inside an isolation without network and starts the agent: it listens on one
// port, forwards its connections to a Unix socket of the runner, and stays the agent's parent until
// the agent ends. Arguments: PORT SOCKET COMMAND [ARGUMENT…]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";

const [port = "", socket = "", command = "", ...args] = process.argv.slice(2);

const server = createServer((client) => {
  const way = connect(socket);
  client.on("error", () => way.destroy()).on("close", () => way.destroy());
  way.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.pipe(way);
  way.pipe(client);
});
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");

// A signal to all processes of the run also reaches the agent; this process ends after the agent.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

const child = spawn(command, args, { stdio: "inherit" });
child.on("error", (failure) => {
  console.error(String(failure));
  process.exit(127);
});
const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
if (signal !== null) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
process.exit(code ?? 1);
