import type { ComponentProps, MouseEvent } from "react";
import { go } from "./router.ts";

/**
 * A link inside the page. It opens a new tab if the browser is asked to, and otherwise navigates without a
 * reload.
 */
export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
