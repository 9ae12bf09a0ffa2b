import type { ElevationView } from "@signalbox/api";
import type { HubClient } from "@signalbox/client";
import { runConfirmed } from "../attach/run-confirmed.ts";
import type { LocalHub } from "../hub/local-hub.ts";

interface ChangedSetting {
  /** What is changed, as the subject of a sentence. */
  readonly subject: string;
  /** The section of the page on which it can be changed, too. */
  readonly section: string;
  readonly role?: ElevationView["role"];
}

/** Changes a setting once a device with the role that it needs has confirmed this terminal. */
export function changeSetting<T>(
  hub: LocalHub,
  { subject, section, role = "admin" }: ChangedSetting,
  work: (confirmed: HubClient) => Promise<T>,
): Promise<T> {
  const elsewhere = `open ${getSettingsPage(hub, section)} on that device`;
  return runConfirmed(hub, { role, subject, elsewhere }, work);
}

/** The address of a section of the page's settings. */
export function getSettingsPage(hub: LocalHub, section: string): string {
  return `${hub.url}/settings/${section}`;
}
