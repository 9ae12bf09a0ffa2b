import type { ElevationView } from "@signalbox/protocol";
import { disturb } from "../asks/guard.ts";
import { refuseRepeat, useSettled } from "../asks/use-settled.ts";
import { inert } from "../items/text/visible.ts";
import { Ago } from "../shell/time.tsx";
import { useBoard, useMayDecide } from "../store/use-hub.ts";
import { useWorld } from "../store/world.tsx";

/** Terminals that want to approve for as long as they run. */
export function Elevations() {
  const waiting = useBoard((view) => view.elevations).filter(({ status }) => status === "waiting");
  return waiting.map((elevation) => <OneElevation key={elevation.id} elevation={elevation} />);
}

/** It comes by itself and moves what is below it: like Allow, yes is deaf until it has settled (C16). */
function OneElevation({ elevation: { id, name, words, at } }: { elevation: ElevationView }) {
  const { client, toasts } = useWorld();
  const { ref, settled } = useSettled<HTMLButtonElement>(id);
  const mayDecide = useMayDecide();
  const decide = async (confirm: boolean) => {
    disturb();
    try {
      await client.decideElevation(id, confirm);
    } catch (failure) {
      toasts.fail("That did not count", failure);
    }
  };
  return (
    <section className="ask-card" aria-label="A terminal wants to approve" data-role="elevation">
      <p>
        The terminal <strong>{inert(name)}</strong> wants to answer requests for as long as it runs
        (asked <Ago at={at} />
        ). It must show these words: <strong className="font-mono">{words}</strong>
      </p>
      {mayDecide && (
        <div className="flex flex-wrap gap-2">
          <button
            ref={ref}
            type="button"
            className="button"
            data-role="let-approve"
            aria-disabled={!settled}
            onKeyDown={refuseRepeat}
            onClick={() => void decide(true)}
          >
            It shows them: let it approve
          </button>
          <button type="button" className="button button-end" onClick={() => void decide(false)}>
            Refuse
          </button>
        </div>
      )}
    </section>
  );
}
