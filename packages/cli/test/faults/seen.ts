import { untilChange } from "@signalbox/testing/until";
import type { HubClient, Item, SessionWatch } from "@signalbox/client";

/** Settles when it holds; looked at whenever the view changes. */
export async function when(
  watch: { subscribe(listener: () => void): () => void },
  holds: () => boolean,
): Promise<void> {
  await untilChange(`the view shows that ${holds.toString()}`, watch, holds, { withinMs: 240_000 });
}

/** Everything that a watch shows, from the first item on. */
export async function shown(watch: SessionWatch): Promise<Item[]> {
  while (watch.view.hasOlder) await watch.loadOlder();
  return watch.view.ids.map((id) => watch.view.item(id) as Item);
}

/** What somebody sees who opens the session now. */
export async function freshItems(client: HubClient, session: string): Promise<Item[]> {
  using watch = client.watchSession(session);
  await when(watch, () => watch.view.state === "ready");
  return shown(watch);
}

export function getText(items: readonly Item[]): string {
  return items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
}
