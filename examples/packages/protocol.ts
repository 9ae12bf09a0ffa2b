// Decodes lines that Claude Code printed. A line is never changed: `raw` is always its text.
import { decode, readResultText } from "@signalbox/protocol";

const lines = [
  '{"type":"result","subtype":"success","is_error":false,"result":"All tests pass."}',
  '{"type":"a_message_from_the_future","text":"hello"}',
  "npm warn deprecated",
];

for (const text of lines) {
  const line = decode(text);
  if (line.kind === "known" && line.message.type === "result") {
    console.log(`the turn ended: ${readResultText(line.message)}`);
  } else if (line.kind === "unknown") {
    console.log(`newer than this library: ${line.type}`);
  } else {
    console.log(`${line.kind}: ${line.raw}`);
  }
}
