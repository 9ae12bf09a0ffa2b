import { inert } from "../items/text/visible.ts";
import { useBoard } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";
import { Ago } from "../shell/time.tsx";

/** Terminals that want to approve for as long as they run. */
export function Elevations() {
  const { client, toasts } = useWorld();
  const waiting = useBoard((view) => view.elevations).filter(({ status }) => status === "waiting");
  const decide = async (id: string, confirm: boolean) => {
    try {
      await client.decideElevation(id, confirm);
    } catch (failure) {
      toasts.fail("That did not count", failure);
    }
  };
  return waiting.map(({ id, name, words, at }) => (
    <section key={id} className="ask-card" aria-label="A terminal wants to approve">
      <p>
        The terminal <strong>{inert(name)}</strong> wants to answer requests for as long as it runs
        (asked <Ago at={at} />
        ). It must show these words: <strong className="font-mono">{words}</strong>
      </p>
      <div className="flex gap-2">
        <button type="button" className="button" onClick={() => void decide(id, true)}>
          It shows them: let it approve
        </button>
        <button type="button" className="button button-end" onClick={() => void decide(id, false)}>
          Refuse
        </button>
      </div>
    </section>
  ));
}
