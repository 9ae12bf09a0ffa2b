import { bash, oneTurn, type Stories } from "../story.ts";

/** What a model can do to spoil a turn. */
export const failures: Stories = {
  "api-retry": oneTurn("Are you there?", "overload x2\nsay The third try went through."),
  "api-error": oneTurn(
    "Are you there?",
    "error 403 permission_error x2 This key may not use this model",
  ),
  "stream-error": oneTurn(
    "Are you there?",
    `
say This much arrived before the error.
error 529 overloaded_error
next
say And this is how it went on.`,
  ),
  "stream-cut": oneTurn(
    "Are you there?",
    `
say This much arrived before the connection was
wait 400
cut
next
say cut, and this is how it went on.`,
  ),
  refusal: oneTurn(
    "Do something odd",
    `
stop refusal
say I would rather not
next
say Let us speak of something else.`,
  ),
  "max-tokens": oneTurn(
    "Tell me a lot",
    `
stop max_tokens
say This is a long answer that was cut
next
say short, and here is the rest.`,
  ),
  "max-turns": {
    script: `${bash("echo one", "Say one")}\nsay One.\n${bash("echo two", "Say two")}\nsay Two.`,
    async play(stage) {
      const talk = await stage.start({ maxTurns: 1 });
      await talk.turn("Say one and two");
    },
  },
  "rate-limit": {
    version: "2.1.325",
    script: "rate-limit 1 x1\nsay After a pause it went through.",
    async play(stage) {
      const { ANTHROPIC_API_KEY: _, ...rest } = stage.environment;
      // With a made-up subscription's token it tells of the limit; with a key it waits.
      const environment = { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "made-up-token" };
      const talk = await stage.start({ environment });
      await talk.turn("Are you there?");
    },
  },
};
