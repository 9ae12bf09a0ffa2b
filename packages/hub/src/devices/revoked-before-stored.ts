/** A device, or the one that made it, was revoked before it was stored. */
export class RevokedBeforeStoredError extends Error {
  override readonly name = "RevokedBeforeStoredError";
  constructor(device: string) {
    super(`The device ${device}, or the device that paired it, was revoked before it was stored.`);
  }
}

/** Waits for a device to be stored. Undefined: it, or the device that made it, was revoked first. */
export async function unlessRevoked<Made>(made: Promise<Made>): Promise<Made | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof RevokedBeforeStoredError) return undefined;
    throw error;
  }
}
