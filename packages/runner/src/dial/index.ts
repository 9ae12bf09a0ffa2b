export { Dial, type DialEnd, type DialEvent, type DialOptions } from "./dial.ts";
export { saveAsText } from "./save-as-text.ts";
export { deliverBufferedLines } from "./buffered-lines.ts";
export { type DialedAgent, startDialedAgent } from "./dialed-agent.ts";
