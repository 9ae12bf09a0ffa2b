import { type MouseEvent, type ReactNode, useCallback, useState } from "react";
import { createPortal } from "react-dom";
import { PlainText } from "../text/plain-text.tsx";
import { inert } from "../text/visible.ts";
import { parseSafeLink } from "./safe-link.ts";
import { strings } from "../strings/strings.ts";

const text = strings.content.link;

/**
 * A link that shows its address and asks before leaving the page. Addresses that are not web or mail links
 * stay text.
 */
export function ExternalLink({ address, children }: { address: string; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const link = parseSafeLink(address);
  if (!link) return <span data-tip={inert(address)}>{children}</span>;
  const ask = (event: MouseEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <a
        href={link.href}
        data-tip={inert(link.href)}
        rel="noopener noreferrer nofollow"
        target="_blank"
        className="link"
        onClick={ask}
        onAuxClick={ask}
      >
        {children}
      </a>
      {isAsking && (
        <LeaveDialog
          href={link.href}
          destination={link.destination}
          onClose={() => setAsking(false)}
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
    <dialog ref={open} onClose={onClose} className="dialog" aria-label={text.title}>
      <p className="text-dim">{mail ? text.writesTo : text.opens}</p>
      <div
        className="my-3 max-h-60 overflow-auto rounded-box border border-line bg-ground"
        tabIndex={0}
      >
        <PlainText text={href} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <a
          className="button"
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          onClick={onClose}
        >
          {mail ? text.writeTo(destination) : text.open(destination)}
        </a>
      </div>
    </dialog>,
    document.body,
  );
}
