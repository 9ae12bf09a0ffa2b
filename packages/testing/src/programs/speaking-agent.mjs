// Says so many numbered lines, then answers whatever it is told, and leaves when its input ends or it is told to.
import { createInterface } from "node:readline";

const [count = "0", pause = "0", filler = "0"] = process.argv.slice(2);
const say = (body) =>
  process.stdout.write(`${JSON.stringify({ uuid: crypto.randomUUID(), ...body })}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { nth, leave } = JSON.parse(line);
  if (leave !== undefined) {
    process.stderr.write("I am leaving.\n");
    process.exitCode = leave;
    process.stdin.destroy();
  } else {
    say({ type: "heard", nth });
  }
});
for (let nth = 1; nth <= Number(count); nth += 1) {
  say({ type: "said", nth, filler: "x".repeat(Number(filler) || nth % 997) });
  if (Number(pause) > 0 && nth % 100 === 0)
    await new Promise((resolve) => setTimeout(resolve, Number(pause)));
}
