// This program is the command of a hook. It passes the hook's input to the runner and prints the
// runner's answer. It runs where the agent runs, also inside of an isolation, and imports nothing of
// ours. Arguments: SOCKET, and "required" if the agent must not go on without an answer.
import { connect } from "node:net";

const [socket = "", need = ""] = process.argv.slice(2);

/** Exit code 2 blocks what the hook was called for; any other failure is ignored. */
function fail(why: string): never {
  console.error(`Signalbox could not be asked: ${why}`);
  process.exit(need === "required" ? 2 : 0);
}

const pieces: Buffer[] = [];
for await (const piece of process.stdin) pieces.push(piece as Buffer);
const input: unknown = JSON.parse(Buffer.concat(pieces).toString() || "{}");

const connection = connect(socket);
let answer = "";
connection.setEncoding("utf8");
connection.on("error", (failure) => fail(failure.message));
connection.on("data", (piece: string) => (answer += piece));
connection.on("connect", () => connection.write(`${JSON.stringify(input)}\n`));
connection.on("close", () => {
  if (!answer.endsWith("\n")) fail("the connection was closed");
  process.stdout.write(answer, () => process.exit(0));
});
