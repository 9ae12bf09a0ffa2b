import type { HubClient } from "@signalbox/client";
import {
  Composer,
  Conversation,
  type PromptContext,
  RequestStrip,
  SignalboxProvider,
} from "@signalbox/react";
import "@signalbox/react/styles.css";

interface Props {
  readonly client: HubClient;
  readonly session: string;
  readonly context: PromptContext;
}

/** A session beside your own content. What is selected there goes along with each message. */
export function SessionPanel({ client, session, context }: Props) {
  return (
    <SignalboxProvider client={client}>
      <Conversation session={session} />
      <RequestStrip session={session} />
      <Composer session={session} context={context} />
    </SignalboxProvider>
  );
}
