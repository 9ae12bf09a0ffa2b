import { type MouseEvent, type ReactNode, useCallback, useState } from "react";
import { createPortal } from "react-dom";
import { PlainText } from "../text/plain-text.tsx";
import { inert } from "../text/visible.ts";
import { parseSafeLink } from "./safe-link.ts";

/**
 * A link that shows its address and asks before leaving the page. Addresses that are not web or mail links
 * stay text.
 */
export function ExternalLink({ address, children }: { address: string; children: ReactNode }) {
  const [asked, setAsked] = useState(false);
  const link = parseSafeLink(address);
  if (!link) return <span title={inert(address)}>{children}</span>;
  const ask = (event: MouseEvent) => {
    event.preventDefault();
    setAsked(true);
  };
  return (
    <>
      <a
        href={link.href}
        title={inert(link.href)}
        rel="noopener noreferrer nofollow"
        target="_blank"
        className="link"
        onClick={ask}
        onAuxClick={ask}
      >
        {children}
      </a>
      {asked && (
        <LeaveDialog
          href={link.href}
          destination={link.destination}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** Asks before leaving the page. */
function LeaveDialog(props: { href: string; destination: string; onClose: () => void }) {
  const { href, destination, onClose } = props;
  const open = useCallback((dialog: HTMLDialogElement | null) => {
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  const mail = href.startsWith("mailto:");
  return createPortal(
    <dialog ref={open} onClose={onClose} className="dialog" aria-label="Leave this page?">
      <p className="text-dim">{mail ? "This link writes to" : "This link leads to"}</p>
      <div
        className="my-3 max-h-60 overflow-auto rounded-box border border-line bg-ground"
        tabIndex={0}
      >
        <PlainText text={href} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          Stay here
        </button>
        <a
          className="button"
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          onClick={onClose}
        >
          {mail ? `Write to ${destination}` : `Open ${destination} in a new tab`}
        </a>
      </div>
    </dialog>,
    document.body,
  );
}
