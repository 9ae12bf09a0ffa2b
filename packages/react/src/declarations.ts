import type { HubClient, NewPrompt } from "@signalbox/client";
import type { ReactNode } from "react";

/** What a person reads of the context, and the data that the agent receives before the message. */
export type PromptContext = NonNullable<NewPrompt["context"]>;

export interface SignalboxProviderProps {
  /** A connection to the hub, from `connect()` of `@signalbox/client`. It is not closed by the provider. */
  readonly client: HubClient;
  /** Opens another session, such as a fork. Without it, the person finds that in the hub's own page. */
  readonly onOpenSession?: (session: string) => void;
  readonly children: ReactNode;
}
/** Provides what the components of a hub's sessions share. */
export declare function SignalboxProvider(props: SignalboxProviderProps): ReactNode;

export interface SessionProps {
  /** The id of the session. */
  readonly session: string;
}
/** The conversation of a session. It fills its container, which needs a height. */
export declare function Conversation(props: SessionProps): ReactNode;
/** The open requests of a session; nothing while there are none. */
export declare function RequestStrip(props: SessionProps): ReactNode;

export interface ComposerProps extends SessionProps {
  /** What your page shows. It goes with each message until the person removes it. */
  readonly context?: PromptContext;
}
/** The field for messages to the agent, with the queue. */
export declare function Composer(props: ComposerProps): ReactNode;
