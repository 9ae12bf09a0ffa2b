/** Markdown, code, images and other content of messages. */
export const content = {
  taskDone: "done",
  taskOpen: "not done",
  table: "Table",
  picture: "image",
  pictureOf: (alt: string) => `image: ${alt}`,
  copy: (what: string) => `Copy ${what}`,
  copied: "Copied",
  code: "code",
  plainText: "text",
  showAll: (size: string) => `Show all (${size})`,
  showMoreLines: (count: string) => `Show ${count} more lines`,
  loading: "Loading…",
  loadingRest: (size: string) => `Loading the rest (${size})…`,
  couldNotLoad: (reason: string) => `Couldn't load the rest: ${reason}`,
  retry: "Try again",
  openImage: (name: string) => `Open ${name} at full size`,
  image: (number: number) => `image ${number}`,
  imageNotShown: (name: string, facts: string) =>
    `${name}: this type of image (${facts}) can't be shown`,
  close: "Close",
} as const;
