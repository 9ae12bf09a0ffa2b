import { useMemo } from "react";
import { ItemView } from "../items/item-view.tsx";
import { ItemsProvider } from "../items/items-provider.tsx";
import type { ItemServices } from "../items/parts/items-context.tsx";
import type { DisplayItem } from "../text/body.ts";
import type { LampKind } from "@signalbox/client";
import { Lamp } from "../style/lamp.tsx";
import { Asks } from "./asks.tsx";
import { StreamingText } from "./streaming-text.tsx";
import { handmadeSpecimens } from "./handmade-specimens.ts";
import { type Recorded, type Specimen, selectSpecimens } from "./specimens.ts";

const lamps: readonly LampKind[] = [
  "working",
  "waiting",
  "idle",
  "parked",
  "failed",
  "catching-up",
];

const wanted = new URLSearchParams(location.search);

/** All items of the gallery; with `?all`, every item of every recording. */
export function Gallery({ recordings }: { recordings: readonly Recorded[] }) {
  if (wanted.has("grow")) return <StreamingText />;
  return wanted.has("all") ? (
    <Stories recordings={recordings} />
  ) : (
    <Specimens recordings={recordings} />
  );
}

function Stories({ recordings }: { recordings: readonly Recorded[] }) {
  return (
    <main className="mx-auto flex max-w-240 flex-col gap-8 p-4">
      {recordings.map(({ version, story, items }) => (
        <Story key={`${version} ${story}`} name={`${version} ${story}`} items={items} />
      ))}
    </main>
  );
}

function Story({ name, items }: { name: string; items: readonly DisplayItem[] }) {
  const services = useMemo(() => createItemServices(items), [items]);
  return (
    <section id={name.replaceAll(" ", "-")} className="flex flex-col gap-3">
      <h2 className="border-b border-line pb-1 text-title">{name}</h2>
      <ItemsProvider value={services}>
        {items
          .filter(({ parent }) => parent === undefined)
          .map((item) => (
            <ItemView key={item.id} item={item} />
          ))}
      </ItemsProvider>
    </section>
  );
}

function Specimens({ recordings }: { recordings: readonly Recorded[] }) {
  const groups = useMemo(() => {
    const all = [...handmadeSpecimens(), ...selectSpecimens(recordings)];
    return Object.entries(Object.groupBy(all, ({ group }) => group)).toSorted(([a], [b]) =>
      a.localeCompare(b),
    );
  }, [recordings]);
  return (
    <main className="mx-auto flex max-w-240 flex-col gap-8 p-4">
      <header className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <h1 className="text-title font-semibold">Gallery</h1>
        {lamps.map((state) => (
          <span key={state} className="inline-flex items-center gap-2 text-small">
            <Lamp state={state} /> {state}
          </span>
        ))}
        <a className="link ml-auto text-small" href={wanted.has("open") ? "?" : "?open"}>
          {wanted.has("open") ? "as they come" : "all opened"}
        </a>
        <a className="link text-small" href="?all">
          whole stories
        </a>
      </header>
      <Asks />
      {groups.map(([group, specimens]) => (
        <Group key={group} name={group} specimens={specimens ?? []} />
      ))}
    </main>
  );
}

function Group({ name, specimens }: { name: string; specimens: readonly Specimen[] }) {
  return (
    <section id={name.replaceAll(" ", "-")} className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-1 text-title">{name}</h2>
      {specimens.map((specimen) => (
        <Exhibit key={`${specimen.item.id} ${specimen.from}`} specimen={specimen} />
      ))}
    </section>
  );
}

function Exhibit({ specimen }: { specimen: Specimen }) {
  const services = useMemo(() => createItemServices(specimen.story), [specimen.story]);
  return (
    <div>
      <p className="mb-1 text-small text-dim">
        {specimen.state} · {specimen.from}
      </p>
      <ItemsProvider value={services}>
        <ItemView item={specimen.item} />
      </ItemsProvider>
    </div>
  );
}

function createItemServices(story: readonly DisplayItem[]): ItemServices {
  return {
    loadBody: (hash) =>
      Promise.resolve(
        Array.from({ length: 3000 }, (_, at) => `${hash.slice(0, 4)} line ${at + 1}`).join("\n"),
      ),
    useChildren: (callId) =>
      useMemo(() => story.filter(({ parent }) => parent === callId), [callId]),
    folds: wanted.has("open") ? allOpen() : new Map(),
    folder: "/home/dev/demo",
  };
}

/** With `?open`, everything is unfolded unless the person has folded it. */
function allOpen(): Map<string, boolean> {
  const folds = new Map<string, boolean>();
  const get = folds.get.bind(folds);
  folds.get = (key) => get(key) ?? !key.endsWith("/all");
  return folds;
}
