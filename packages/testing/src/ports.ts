import { readFileSync } from "node:fs";

const RANGE = 12_000;
const TRIES = 100;

/** The lowest port that the system gives to whoever asks for any, and to outgoing connections. */
function lowestGivenPort(): number {
  try {
    const text = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    return Number(text.split(/\s/)[0]) || 32_768;
  } catch {
    return 32_768; // not Linux
  }
}

/**
 * A port of 127.0.0.1 that is free, and that nobody gets by chance while a server of the test's is down
 * between two of its lives: a port that the system itself hands out may then belong to any connection.
 */
export function portToComeBackTo(): number {
  const lowest = lowestGivenPort();
  const first = Math.max(1024, lowest - RANGE);
  for (let left = TRIES; left > 0; left--) {
    const port = first + Math.floor(Math.random() * Math.max(1, lowest - first));
    try {
      const socket = { data: () => {} };
      Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket }).stop(true);
      return port;
    } catch {
      // taken: another one
    }
  }
  throw new Error(`none of ${TRIES} ports from ${first} to ${lowest} is free`);
}
