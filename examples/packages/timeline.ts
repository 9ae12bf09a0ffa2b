// Turns the lines of a session into items: what a person sees of it.
import { decode } from "@signalbox/protocol";
import { advance, createTimeline } from "@signalbox/timeline";

const lines = [
  '{"type":"assistant","parent_tool_use_id":null,"message":{"id":"msg_1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"npm test"}}]}}',
  '{"type":"user","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"42 pass"}]}}',
  '{"type":"assistant","parent_tool_use_id":null,"message":{"id":"msg_2","role":"assistant","model":"m","content":[{"type":"text","text":"All tests pass."}]}}',
];

let state = createTimeline();
for (const line of lines) {
  const step = advance(state, { from: "agent", line: decode(line) });
  state = step.state; // plain data, which can be stored between two lines
  for (const item of step.changed) {
    if (item.kind === "text") console.log(`text: ${item.text}`);
    if (item.kind === "tool") console.log(`${item.title}: ${item.status}`);
  }
}
