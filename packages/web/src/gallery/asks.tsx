import { useMemo } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { memoryDatabase } from "../storage/database.ts";
import { Drafts } from "../store/drafts.ts";
import { Toasts } from "../store/toasts.ts";
import { type AppContext, AppContextProvider } from "../store/app-context.tsx";
import { type AskExhibit, openAsks } from "./open-asks.ts";

/** Requests with their controls. There is no hub, so answers change nothing. */
export function Asks() {
  const exhibits = useMemo(openAsks, []);
  return (
    <section id="asks" className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-1 text-title">asks, with the ways to answer</h2>
      {exhibits.map((exhibit) => (
        <Exhibit key={exhibit.what} exhibit={exhibit} />
      ))}
    </section>
  );
}

function Exhibit({ exhibit }: { exhibit: AskExhibit }) {
  const { what, ask, compact = false, seen } = exhibit;
  const services = useMemo(() => createOfflineContext(seen), [seen]);
  return (
    <div data-exhibit={what}>
      <p className="mb-1 text-small text-dim">{what}</p>
      <AppContextProvider value={services}>
        <div className={compact ? "tile max-w-90" : ""}>
          <AskCard ask={ask} compact={compact} />
        </div>
      </AppContextProvider>
    </div>
  );
}

/** The parts of the app context that ask cards use. */
function createOfflineContext(seen: AskExhibit["seen"]): AppContext {
  const stay = () => () => {};
  const state =
    seen === "without its hub"
      ? { kind: "offline", since: Date.now() - 60_000, why: "gone" }
      : { kind: "live" };
  const role = seen === "by a viewer" ? "viewer" : "approver";
  const services = {
    client: { state, onState: stay, answer: () => Promise.resolve() },
    board: { view: { session: () => undefined }, subscribe: stay },
    pairedDevice: { role },
    drafts: new Drafts(memoryDatabase()),
    toasts: new Toasts(),
  };
  return services as unknown as AppContext;
}
