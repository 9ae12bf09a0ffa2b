import type { Session } from "@signalbox/client";

/** What each driver is. */
export const driverLabels: Readonly<Record<string, string>> = {
  stdio: "stdio: the agent's own pipes",
  sdk: "sdk: the official Agent SDK",
  "sdk-url": "sdk-url: Claude Code up to 2.1.120, which connects by itself",
};

type Driven = Pick<Session, "driver" | "run">;

/** The name of a session's driver. An agent that dials in through `signalbox dial` is called `dial`. */
export function driverName({ driver, run }: Driven): string {
  if (driver !== "relay") return driver;
  return run && run.path !== "" ? "dial" : "relay";
}

export function describeDriver(session: Driven): string {
  const name = driverName(session);
  if (name === "dial") return "relay: an agent that signalbox dial runs elsewhere";
  if (name === "relay") return "relay: an agent that connects from elsewhere";
  return driverLabels[name] ?? name;
}
