/** A device, or the one that made it, was revoked before it was stored. */
export class RevokedMeanwhile extends Error {
  override readonly name = "RevokedMeanwhile";
  constructor(device: string) {
    super(`The device ${device}, or the one that made it, was revoked before it was stored.`);
  }
}

/** Undefined: the device, or the one that made it, was revoked before it was stored. */
export async function unlessRevoked<Made>(made: Promise<Made>): Promise<Made | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof RevokedMeanwhile) return undefined;
    throw error;
  }
}
