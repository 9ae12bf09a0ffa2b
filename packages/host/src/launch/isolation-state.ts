import type { IsolationProfile } from "@signalbox/api/constants";

/** Whether a run's agent is kept away from Signalbox itself, by what, and if not, why not. */
export interface IsolationState {
  readonly profile: IsolationProfile;
  readonly isolated: boolean;
  readonly by?: "bubblewrap" | "sandbox-exec";
  /** Why the agent is not isolated, with what a person can do about it. */
  readonly why?: string;
  /** What does not work because the agent is isolated, or what the isolation cannot keep away. */
  readonly remark?: string;
}
