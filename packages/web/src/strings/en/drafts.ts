/** Drafts that follow a person to other devices. */
export const drafts = {
  offer: (device: string) => `Also edited on ${device}:`,
  useOffer: "Use that draft",
  keepMine: "Keep mine",
  replaced: "Draft replaced",
  undo: "Undo",
  attachedElsewhere: (count: number, device: string) =>
    count === 1
      ? `1 file is attached on ${device}. Files stay on the device until you send.`
      : `${count} files are attached on ${device}. Files stay on the device until you send.`,
  tooLong: "This draft is too long to follow you to other devices. It is saved in this browser.",
} as const;
