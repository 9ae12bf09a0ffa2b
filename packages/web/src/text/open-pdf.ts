const PDF_MARKER = "JVBERi"; // "%PDF-" in base64
/** How long the new tab may take to load the document. */
const KEEP_MS = 60_000;

/**
 * Opens a PDF in a tab of its own. Only what begins as a PDF is opened, and always as one, so that the
 * browser never takes it for a page of this origin. Returns whether it was opened.
 */
export function openPdf(base64: string): boolean {
  const data = base64.replace(/\s+/g, "");
  if (!data.startsWith(PDF_MARKER)) return false;
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
  window.open(address, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
  return true;
}
