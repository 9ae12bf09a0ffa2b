import { Component, type ErrorInfo, type ReactNode } from "react";
import { strings } from "../strings/strings.ts";

const text = strings.parts;

interface Props {
  /** The name of the part, as in "This panel couldn't be shown". */
  readonly what: string;
  readonly children: ReactNode;
  /** For a dialog, which has no place in the page: what went wrong is shown above the page. */
  readonly isFloating?: boolean;
}

/**
 * Whether an error means that a file of the page could not be loaded, because the hub is unreachable or has a
 * newer version.
 */
function isLoadError({ message }: Error): boolean {
  return /dynamically imported module|module script|preload CSS/i.test(message);
}

function LoadError({ what }: { what: string }) {
  return (
    <div className="m-2 rounded-box border border-failed p-3 text-body" role="alert">
      <p>
        <strong>{text.couldNotLoad(what)}</strong> {text.couldNotLoadHint}
      </p>
      <button type="button" className="button mt-2" onClick={() => location.reload()}>
        {text.reload}
      </button>
    </div>
  );
}

/** Contains rendering errors to one part of the page. */
export class ErrorBoundary extends Component<Props, { failure?: Error }> {
  override state: { failure?: Error } = {};

  static getDerivedStateFromError(failure: unknown): { failure: Error } {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }

  override componentDidCatch(failure: unknown, info: ErrorInfo): void {
    console.error(text.couldNotShow(this.props.what), failure, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.failure) return this.props.children;
    if (!this.props.isFloating) return this.#renderFailure(this.state.failure);
    return (
      <div className="fixed inset-x-4 top-4 z-50 mx-auto max-w-120 rounded-box bg-raised shadow-floating">
        {this.#renderFailure(this.state.failure)}
      </div>
    );
  }

  #renderFailure(failure: Error): ReactNode {
    if (isLoadError(failure)) return <LoadError what={this.props.what} />;
    return (
      <div className="m-2 rounded-box border border-failed p-3 text-body" role="alert">
        <p>
          <strong>{text.couldNotShow(this.props.what)}</strong> {text.couldNotShowHint}
        </p>
        <p className="mt-1 font-mono text-small wrap-anywhere text-dim">{failure.message}</p>
        <button
          type="button"
          className="button mt-2"
          onClick={() => this.setState({ failure: undefined as never })}
        >
          {text.showAgain}
        </button>
      </div>
    );
  }
}
