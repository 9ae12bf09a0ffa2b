// Answers Anthropic's Messages API from a script: no account, no network.
import { startModel } from "@signalbox/model";

await using model = await startModel({ script: 'say Let me look.\ntool Bash {"command":"ls"}' });
const response = await fetch(`${model.url}/v1/messages`, {
  method: "POST",
  body: JSON.stringify({
    model: "any",
    max_tokens: 100,
    messages: [{ role: "user", content: "Hello" }],
  }),
});
const message = (await response.json()) as { content: unknown[]; stop_reason: string };
console.log(message.content, message.stop_reason);
