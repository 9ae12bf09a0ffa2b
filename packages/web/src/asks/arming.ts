/** A thing that may run on the person's machine is not allowed in the moment it appears (C16). */
export const ARM_MS = 500;

/** Runs something later; what it answers takes that back. */
export type Later = (run: () => void, ms: number) => () => void;

export interface Arming {
  /** From here on the time counts anew if it is in sight; out of sight it is not armed at all. */
  readonly begin: (inSight: boolean) => void;
  readonly end: () => void;
}

/** Tells `onChange` true once something has been in sight for long enough, false whenever that begins anew. */
export function arming(onChange: (armed: boolean) => void, later: Later): Arming {
  let takeBack = () => {};
  return {
    begin(inSight) {
      takeBack();
      onChange(false);
      if (inSight) takeBack = later(() => onChange(true), ARM_MS);
    },
    end: () => takeBack(),
  };
}
