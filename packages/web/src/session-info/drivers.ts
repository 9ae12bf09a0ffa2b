import type { Session } from "@signalbox/client";
import { strings } from "../strings/strings.ts";

/** What each driver is. */
export const driverLabels = strings.session.drivers;

type Driven = Pick<Session, "driver" | "run">;

/** The name of a session's driver. An agent that dials in through `signalbox dial` is called `dial`. */
export function driverName({ driver, run }: Driven): string {
  if (driver !== "relay") return driver;
  return run && run.path !== "" ? "dial" : "relay";
}

export function describeDriver(session: Driven): string {
  const name = driverName(session);
  return driverLabels[name] ?? name;
}
