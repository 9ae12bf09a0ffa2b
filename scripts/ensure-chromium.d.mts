export const chromiumFlags: string[];
export function ensureChromium(): string;
