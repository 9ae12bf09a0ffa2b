const WIDTH = 160;

export function oneLine(text = ""): string {
  const flat = safe(text).replaceAll(/\s+/g, " ").trim();
  return flat.length > WIDTH ? `${flat.slice(0, WIDTH)}…` : flat;
}

// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Without what would move the cursor, change the terminal, or let text be read in another order. */
export function safe(text: string): string {
  return text.replaceAll(steering, "");
}
