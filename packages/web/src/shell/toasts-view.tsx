import { useSignal } from "../store/signal.ts";
import { useWorld } from "../store/world.tsx";

export function ToastsView() {
  const { toasts } = useWorld();
  const list = useSignal(toasts.list);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {list.map(({ id, tone, text, action }) => (
        <div key={id} className={`toast ${tone === "failed" ? "border-failed" : ""}`}>
          <p className="min-w-0 grow wrap-anywhere">{text}</p>
          {action && (
            <button
              type="button"
              className="button shrink-0"
              onClick={() => {
                action.run();
                toasts.close(id);
              }}
            >
              {action.words}
            </button>
          )}
          <button
            type="button"
            className="button button-bare shrink-0"
            aria-label="Close this message"
            onClick={() => toasts.close(id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
