import { startModel } from "@signalbox/model";
import { errand, prompt, say, tool } from "../script.ts";
import { allow, type Conversation, type Stage, type Story } from "../story.ts";

const fails = (status: number, type: string, message: string): string =>
  prompt("Hello", `::error ${status} ${type} x9 ${message}`);

/** Notes retries, also those of lost connections, which are not compared otherwise. */
function noteRetries(stage: Stage, { messages }: Conversation): void {
  const told = messages.flatMap((message) =>
    message.type === "system" && message.subtype === "api_retry"
      ? [[message.attempt, message.max_retries, message.error_status, message.error]]
      : [],
  );
  stage.note("retries", told);
}

/** Turns whose model does not answer. */
export const failures: Story[] = [
  {
    name: "an overloaded API is given up",
    async play(stage) {
      const talk = stage.open();
      await talk.turn(prompt("Hello", "::overload x8", say("Never said.")));
      noteRetries(stage, talk);
    },
  },
  {
    name: "a line that breaks before a word was said",
    async play(stage) {
      const talk = stage.open(); // How much of the stream is received before it breaks is random.
      await talk.turn(prompt("Hello", "::cut x1", say("Now I can.")));
      noteRetries(stage, talk);
    },
  },
  {
    name: "refusals of the API that are not repeated",
    async play(stage) {
      const talk = stage.open({ env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
      await talk.turn(fails(500, "api_error", "It broke."));
      await talk.turn(fails(529, "overloaded_error", "Overloaded"));
      await talk.turn(fails(429, "rate_limit_error", "Slower, please"));
      await talk.turn(fails(404, "not_found_error", "model: nobody"));
      await talk.turn(fails(413, "request_too_large", "Too big"));
      await talk.turn(fails(400, "invalid_request_error", "What is that?"));
      await talk.turn(fails(402, "billing_error", "Pay first"));
      await talk.turn(fails(400, "invalid_request_error", "Your credit balance is too low."));
      await talk.turn(fails(401, "authentication_error", "invalid x-api-key"));
      await talk.turn(fails(400, "invalid_request_error", "This organization has been disabled."));
      const tooBig = "image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes";
      await talk.turn(fails(400, "invalid_request_error", tooBig));
      await talk.turn(fails(400, "invalid_request_error", "A maximum of 100 PDF pages, please"));
      const locked = "The PDF specified is password protected.";
      await talk.turn(fails(400, "invalid_request_error", locked));
    },
  },
  {
    name: "answers that are stopped by a classifier, once and again",
    async play(stage) {
      const talk = stage.open();
      const stopped = ["::say I should", "::stop refusal", "::next"];
      await talk.turn("/compact");
      await talk.turn(prompt("Hello", ...stopped));
      await talk.turn(prompt("Hello again", say("Good day.")));
      const again = stage.open();
      await again.turn(prompt("Hello", "::stop refusal", "::next"));
    },
  },
  {
    name: "a prompt that is too long, alone and after others",
    async play(stage) {
      const tooLong = "prompt is too long: 250000 tokens > 200000 maximum";
      const alone = stage.open();
      await alone.turn(fails(400, "invalid_request_error", tooLong));
      await alone.end();
      const talk = stage.open();
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn(prompt("And?", say("Nothing else.")));
      await talk.turn(fails(400, "invalid_request_error", tooLong));
      await talk.end();
      const once = stage.open(); // The same request is not sent a second time.
      await once.turn(prompt("Hello", say("Good day.")));
      await once.turn(
        prompt("More", `::error 400 invalid_request_error x1 ${tooLong}`, say("It fits.")),
      );
    },
  },
  {
    name: "a picture that is too large, after one answer and after two",
    async play(stage) {
      const tooBig = "image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes";
      const talk = stage.open({ env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn(fails(400, "invalid_request_error", tooBig));
      await talk.turn(fails(413, "request_too_large", "Too big"));
    },
  },
  {
    name: "a subagent whose model does not answer",
    async play(stage) {
      const refused = errand("general-purpose", "Count", "::error 403 permission_error x9 No");
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(prompt("Count", tool("Task", refused), say("It did not count.")));
    },
  },
  {
    name: "a conversation of one answer is summed up once, and not without a model",
    async play(stage) {
      await using model = await startModel({ script: "" });
      const env = { CLAUDE_CODE_MAX_RETRIES: "0", ANTHROPIC_BASE_URL: model.url };
      const talk = stage.open({ env });
      await talk.turn(prompt("Hello", say("Good day.")));
      await talk.turn("/compact");
      await talk.turn("/compact");
      await talk.turn(prompt("And?", say("Nothing else.")));
      await model.close();
      await talk.turn("/rename Alone"); // By then the idle connections have been closed.
      await talk.turn("/compact");
      await talk.turn("Are you there?");
    },
  },
];
