// Puts one prompt to Claude Code in the current folder and prints the answer.
import { readResultText } from "@signalbox/protocol";
import { type Ask, type Decision, Host, stdioDriver } from "@signalbox/host";

function onAsk(ask: Ask): Decision {
  console.error(`asked: ${"tool" in ask ? ask.tool : ask.kind}`);
  return { behavior: "deny", message: "Only look, please." };
}

async function answerTo(host: Host, text: string): Promise<string | undefined> {
  await host.prompt({ text });
  for await (const batch of host.lines) {
    for (const line of batch) {
      if (line.kind === "known" && line.message.type === "result")
        return readResultText(line.message);
    }
  }
  return (await host.closed).sentence; // it left before the turn's end, and this says why
}

const folder = process.cwd();
await using host = await Host.start(stdioDriver(), { folder }, { policy: "supervised", onAsk });
console.log(await answerTo(host, "What is in this folder?"));
