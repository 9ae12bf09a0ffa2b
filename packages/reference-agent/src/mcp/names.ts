/** A server's or a tool's name as a part of a tool's or a command's. */
export const clean = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_");
