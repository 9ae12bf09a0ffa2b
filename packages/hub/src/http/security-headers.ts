/**
 * Everything from here and nothing from elsewhere. Styles may stand in the page, since terminals and
 * dialogs set them; scripts may not, and no text becomes one.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types signalbox",
].join("; ");

export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * For the one file that draws what an agent wrote: it stands in a frame of our own page, has no origin, and
 * runs the scripts that are in it, by their hashes. No file, no picture and no address of anything (C17).
 */
export function createFramePolicy(scripts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map((hash) => `'${hash}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ");
}

/** The answers that stand in a frame, with their policy: nothing that a header says makes one. */
const framePolicies = new WeakMap<Response, string>();

export function allowInFrame(response: Response, scripts: readonly string[]): Response {
  framePolicies.set(response, createFramePolicy(scripts));
  return response;
}

/** On every answer. What says nothing about keeping is not kept. */
export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  const frame = framePolicies.get(response);
  if (frame !== undefined) {
    response.headers.set("content-security-policy", frame);
    response.headers.set("x-frame-options", "SAMEORIGIN");
  }
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}
