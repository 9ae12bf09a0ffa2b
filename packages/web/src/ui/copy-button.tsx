import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { strings } from "../strings/strings.ts";

const text = strings.content;

/** Copies a text to the clipboard. */
export function CopyButton({ text: copied, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    void navigator.clipboard.writeText(copied).then(() => setCopied(true));
  };
  const label = isCopied ? text.copied : text.copy(what);
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      className="button button-ghost button-icon shrink-0"
      aria-label={label}
      data-tip={label}
      onClick={copy}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}
