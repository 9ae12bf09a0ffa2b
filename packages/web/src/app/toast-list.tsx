import { useSignal } from "../store/signal.ts";
import { useAppContext } from "../store/app-context.tsx";
import { Progress } from "../ui/progress.tsx";
import { strings } from "../strings/strings.ts";

export function ToastList() {
  const { toasts } = useAppContext();
  const list = useSignal(toasts.list);
  const hold = (isPaused: boolean) => () => {
    toasts.isPaused = isPaused;
  };
  return (
    <div
      className="toasts"
      role="status"
      aria-live="polite"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocus={hold(true)}
      onBlur={hold(false)}
    >
      {list.map(({ id, tone, text, actions }) => (
        <div key={id} className={`toast ${tone === "failed" ? "border-failed" : ""}`}>
          {tone === "busy" && (
            <div className="absolute inset-x-0 top-0">
              <Progress label={text} />
            </div>
          )}
          <p className="min-w-0 grow wrap-anywhere">{text}</p>
          {actions.map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className="button shrink-0"
              onClick={() => {
                toasts.close(id);
                run();
                returnFocusToPage();
              }}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            className="button button-ghost shrink-0"
            aria-label={strings.parts.dismiss}
            onClick={() => {
              toasts.close(id);
              returnFocusToPage();
            }}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

/**
 * Moves the focus back to the page after a toast's button has disappeared, unless the action has already
 * moved it elsewhere.
 */
function returnFocusToPage(): void {
  const { activeElement } = document;
  if (activeElement?.closest(".toasts") || activeElement === document.body) {
    document.querySelector("main")?.focus({ preventScroll: true });
  }
}
