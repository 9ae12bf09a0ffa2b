import { useEffect, useState } from "react";

/** Copies a text to the clipboard. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <button
      type="button"
      className="quiet-button"
      aria-label={copied ? "Copied" : `Copy ${what}`}
      onClick={copy}
    >
      {copied ? "Copied" : "Copy"}
    </button>
  );
}
