import type { IsolationProfile } from "@signalbox/api/constants";

/** Whether a run's agent is isolated from Signalbox itself, by which program, and if not, why. */
export interface IsolationState {
  readonly profile: IsolationProfile;
  readonly isolated: boolean;
  readonly by?: "bubblewrap" | "sandbox-exec";
  /** Why the agent is not isolated, and what a person can do about it. */
  readonly why?: string;
  /** What does not work because of the isolation, or what the isolation cannot protect. */
  readonly remark?: string;
}
