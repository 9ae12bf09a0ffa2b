import type { ElevationView } from "@signalbox/api";
import { AnswerButton } from "../guard/answer-button.tsx";
import { resetSettling } from "../guard/click-guard.ts";
import { inert } from "../text/visible.ts";
import { RelativeTime } from "../ui/time.tsx";
import { useBoard, useMayConfirm, useMayDecide } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.elevations;

/** Terminals that ask for the rights of an approver or an admin for as long as they run. */
export function Elevations() {
  const waiting = useBoard((view) => view.elevations).filter(({ status }) => status === "waiting");
  return waiting.map((elevation) => <ElevationCard key={elevation.id} elevation={elevation} />);
}

/**
 * The card appears by itself and moves what is below it, so its buttons ignore clicks until it has settled
 * (C16).
 */
function ElevationCard({ elevation }: { elevation: ElevationView }) {
  const { id, name, words, role, at } = elevation;
  const { client, toasts } = useAppContext();
  const mayDecide = useMayDecide();
  const mayConfirm = useMayConfirm(role);
  const isAdmin = role === "admin";
  const decide = async (confirm: boolean) => {
    resetSettling();
    try {
      await client.decideElevation(elevation, confirm);
    } catch (failure) {
      toasts.showError(text.couldNotSave, failure);
    }
  };
  return (
    <section className="ask-card" aria-label={text.label} data-role="elevation">
      <p>
        {isAdmin ? text.adminText(inert(name)) : text.text(inert(name))}{" "}
        <span className="text-dim">
          {text.requested} <RelativeTime at={at} />
        </span>
      </p>
      <p>
        {text.compare} <strong className="font-mono">{words}</strong>
      </p>
      {mayDecide && !mayConfirm && <p className="text-dim">{text.adminNeeded}</p>}
      {mayDecide && (
        <div className="flex flex-wrap gap-2">
          {mayConfirm && (
            <AnswerButton of={id} role="let-approve" onPress={() => void decide(true)}>
              {isAdmin ? text.approveAdmin : text.approve}
            </AnswerButton>
          )}
          <AnswerButton of={id} look="button-danger" onPress={() => void decide(false)}>
            {text.deny}
          </AnswerButton>
        </div>
      )}
    </section>
  );
}
