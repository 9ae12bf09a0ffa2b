import { allow, bash, call, oneTurn, type Stories, untilWords } from "../story.ts";

const task = (description: string, prompt: string, more: object = {}) =>
  call("Task", { description, prompt, subagent_type: "general-purpose", ...more });
const awaited = { run_in_background: false };

/** Two scenes for agents of the second rank. */
const helpers = `
== Look around
think Two things to look at.
${bash("pwd", "Show the folder")}
${bash("touch seen.txt", "Leave a mark")}
say I found an ordinary folder.
== Count the files
${bash("ls | wc -l", "Count the files")}
say I have counted.`;

/** Agents that send others. */
export const subagents: Stories = {
  "subagent-foreground": oneTurn(
    "Send someone",
    `${helpers}
== *
say I send someone to look.
${task("Look around", "Look around this folder.", awaited)}
say They say: {{seen I found .*}}`,
  ),
  "subagents-background": untilWords("Send two", "Both have reported", {
    version: "2.1.325",
    script: `${helpers}
== *
${task("Look around", "Look around this folder.", { run_in_background: true })}
${task("Count the files", "Count the files here.", { run_in_background: true })}
say Both are on their way.
next
say Someone has reported.
next
say Both have reported.`,
  }),
  // 2.1.7 tells the model of the end as if the user had said it, and prints it as a prompt.
  "subagent-background": untilWords("Send someone and wait", "That is the report", {
    version: "2.1.7",
    script: `${helpers}
== *
${task("Look around", "Look around this folder.", { run_in_background: true })}
next
${call("TaskOutput", { task_id: "{{seen agentId: (\\w+)}}", block: true, timeout: 20_000 })}
say They have looked around.
next
say That is the report of the one I sent.`,
  }),
  "nested-subagents": oneTurn(
    "Send a chief",
    `${helpers}
== Lead the others
say I send someone on.
${task("Count the files", "Count the files here.", awaited)}
say They have reported to me.
== *
${task("Lead the others", "Lead the others.", awaited)}
say The chief has reported.`,
  ),
  "subagent-messages": untilWords("Ask twice", "They have answered", {
    version: "2.1.325",
    script: `
== another greeting
say Hello again!
== Greet me
say Hello!
== *
${task("Greet", "Greet me.", awaited)}
next
${call("ListAgents", {})}
${call("SendMessage", { to: "{{seen agentId: (\\w+)}}", summary: "ask for another greeting", message: "Give another greeting" })}
say I have asked once more.
next
say They have answered.`,
  }),
  workflow: untilWords("Run the workflow", "The workflow has ended", {
    version: "2.1.325",
    script: `
== Greet from one
say Hello from one
== Greet from two
say Hello from two
== *
${call("Workflow", {
  script: `export const meta = { name: 'two-greetings', description: 'Two agents greet', phases: [{ title: 'Greet' }] }
phase('Greet')
const greetings = await parallel([() => agent('Greet from one'), () => agent('Greet from two')])
return { greetings }
`,
})}
say It runs in the background.
next
say The workflow has ended.`,
  }),
  "subagent-interrupted": {
    script: `
== Look forever
say I look and look
stall
== *
${task("Look forever", "Look forever.", awaited)}
say Never said.`,
    async play(stage) {
      const talk = await stage.start({}, { onAsk: allow });
      await talk.host.prompt({ text: "Send someone out" });
      await talk.next("assistant", ({ message }) => JSON.stringify(message).includes("tool_use"));
      await Bun.sleep(1500);
      await talk.host.interrupt();
      await talk.result();
    },
  },
};
