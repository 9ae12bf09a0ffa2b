import type { OutgoingMessage } from "@signalbox/agent";

const HEARTBEAT_MS = 30_000;

/** Reports from time to time that work continues, until it has ended. */
export async function withHeartbeat<T>(
  work: () => Promise<T>,
  about: {
    /** The name of the work, and the id for its reports. */
    readonly name: string;
    readonly id: string;
    readonly toolUseId: string;
    readonly say: (message: OutgoingMessage) => void;
  },
  periodMs = HEARTBEAT_MS,
): Promise<T> {
  const began = Date.now();
  let beats = 0;
  const beating = setInterval(() => {
    about.say({
      type: "tool_progress",
      tool_use_id: `${about.id}-heartbeat-${beats++}`,
      tool_name: about.name,
      parent_tool_use_id: about.toolUseId,
      elapsed_time_seconds: Math.floor((Date.now() - began) / 1000),
      heartbeat: true,
    });
  }, periodMs);
  try {
    return await work();
  } finally {
    clearInterval(beating);
  }
}
