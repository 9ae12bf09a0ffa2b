/** Makes the name of a server or tool usable as part of another name. */
export const clean = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_");
