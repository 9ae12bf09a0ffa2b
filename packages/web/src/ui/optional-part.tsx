import { Component, type ReactNode } from "react";

/** Shows nothing in place of a part that cannot be loaded and is not needed, such as a tooltip. */
export class OptionalPart extends Component<
  { readonly children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
