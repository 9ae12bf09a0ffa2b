/** Pairing this browser, and what is shown when that has ended. */
export const pairing = {
  title: "Pair this browser",
  intro:
    "Name this browser and pair it to see your sessions and answer their requests. You can revoke its access at any time in Settings → Devices.",
  notPersistent:
    "This window doesn't store data (private browsing?). You'll have to pair again after closing it.",
  code: "Pairing code",
  name: "Device name",
  roles: {
    viewer: "Viewer: view sessions",
    driver: "Driver: send messages, start and stop sessions",
    approver: "Approver: send messages, start and stop sessions, answer requests",
    admin: "Admin: full access, including devices and agents",
  },
  role: "Role",
  device: {
    browser: "Browser",
    systems: { iPhone: "iPhone", iPad: "iPad", mac: "Mac", other: "this device" },
    suggestedName: (browser: string, system: string) => `${browser} on ${system}`,
  },
  pair: "Pair this browser",
  pairing: "Pairing…",
  help: "To get a code, open Settings → Devices on a paired device, or run",
  helpEnd: "on the hub's machine.",
  unpairedTitle: "This browser is no longer paired",
  unpairedText:
    "Its key was revoked, has expired, or belongs to another hub. Pair again to continue. Unsent messages in this browser will be deleted.",
  pairAgain: "Pair again",
  tryAgain: "Try again",
  upgradeTitle: "Couldn't renew this browser's key",
  upgradeText:
    "The hub was updated and needs to give this browser a new key. Make sure that the hub is running, then try again.",
} as const;
