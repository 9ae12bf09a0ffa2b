import { Component, type ReactNode } from "react";
import { formatJson } from "../text/format-json.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";

interface Props {
  readonly item: { readonly id: string; readonly rev: number; readonly kind: string };
  readonly children: ReactNode;
}

/**
 * Shows an item that cannot be rendered as data, without affecting others. Its next revision is tried again.
 */
export class ItemBoundary extends Component<Props, { failedAt?: number; errorMessage?: string }> {
  override state: { failedAt?: number; errorMessage?: string } = {};

  static getDerivedStateFromError(error: unknown) {
    return { said: errorMessage(error), failedAt: -1 };
  }

  static getDerivedStateFromProps(props: Props, state: { failedAt?: number }) {
    if (state.failedAt === undefined || state.failedAt === props.item.rev) return null;
    return state.failedAt === -1 ? { failedAt: props.item.rev } : { failedAt: undefined };
  }

  override render() {
    const { item, children } = this.props;
    if (this.state.failedAt === undefined) return children;
    return (
      <div className="trouble" role="alert">
        <p>{strings.items.couldNotShow(item.kind, this.state.errorMessage ?? "")}</p>
        <pre className="sheet max-h-60 overflow-auto" tabIndex={0}>
          {formatJson(item)}
        </pre>
      </div>
    );
  }
}
