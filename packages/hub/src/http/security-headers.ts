/**
 * The page's policy: everything is loaded from the hub, and nothing from elsewhere. Inline styles are
 * allowed, because terminals and dialogs set them; inline scripts are not, and no text is turned into one.
 */
const CONTENT_SECURITY_POLICY = [
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

const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * The policy for the one file that draws what an agent wrote. It is shown in a frame of the page, has no
 * origin, and runs only the scripts inside it, by their hashes. It can load no file, picture or address
 * (C17).
 */
function createFramePolicy(scripts: readonly string[]): string {
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

/**
 * The answers that are shown in a frame, with their policies. They are kept in a map, so that no header can
 * make an answer one of them.
 */
const framePolicies = new WeakMap<Response, string>();

export function allowInFrame(response: Response, scripts: readonly string[]): Response {
  framePolicies.set(response, createFramePolicy(scripts));
  return response;
}

/** Adds security headers to an answer. An answer without a `cache-control` header is not to be cached. */
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
