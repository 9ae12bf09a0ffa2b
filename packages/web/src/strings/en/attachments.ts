/** Images that are attached to a message, and why one can't be. */
export const attachments = {
  messageTooLarge: (megabytes: number) =>
    `The message is ${megabytes} MB with its images. The limit is 64 MB. Send some images separately.`,
  wrongType: (name: string) => `${name} is not a PNG, JPEG, GIF or WebP image.`,
  tooLarge: (name: string) => `${name} is larger than 3.9 MB.`,
  tooMany: (limit: number) => `A message can have up to ${limit} images.`,
  damaged: (name: string) => `${name} is damaged and can't be read.`,
  tooManyPixels: (name: string, width: number, height: number, limit: number) =>
    `${name} has ${width} × ${height} pixels. The limit is ${limit} on each side.`,
} as const;
