/** Files that are attached to a message, and why one can't be. */
export const attachments = {
  messageTooLarge: (megabytes: number) =>
    `The message is ${megabytes} MB with its files. The limit is 64 MB. Send some files separately.`,
  wrongType: (name: string) => `${name} is not a PNG, JPEG, GIF or WebP image or a PDF.`,
  empty: (name: string) => `${name} is empty.`,
  tooLarge: (name: string, size: string, limit: string) =>
    `${name} is ${size}. The limit is ${limit}.`,
  tooMany: (limit: number) => `A message can have up to ${limit} files.`,
  damaged: (name: string) => `${name} is damaged and can't be read.`,
  unreadable: (name: string) =>
    `${name} can't be read. It may have been moved or changed. Attach it again.`,
  notPdf: (name: string) => `${name} is not a PDF, although its name says so.`,
  couldNotScale: (name: string, width: number, height: number) =>
    `${name} has ${width} × ${height} pixels, and this browser can't make it smaller. Attach a smaller copy.`,
  scaled: (name: string, from: string, to: string) =>
    `${name} was scaled down from ${from} to ${to} pixels.`,
} as const;
