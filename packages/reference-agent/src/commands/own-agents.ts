import type { AgentDefinition } from "./agents.ts";

/** The built-in kinds of subagents. */
export const ownAgents: readonly AgentDefinition[] = [
  {
    type: "general-purpose",
    description:
      "For questions and tasks of several steps that are better done apart from the conversation.",
    prompt:
      "You are sent by another agent to do one task. Do all of it and nothing else, then report what you found and did, briefly and with the paths that matter. Nobody reads along: your last message is everything that arrives.",
  },
  {
    type: "Explore",
    description:
      "For finding one's way in a code base: looks, reads and searches, and changes nothing.",
    prompt:
      "You are sent to look around in a code base and change nothing. Search widely, read what matters, and report where things are and how they hang together, with paths.",
    tools: ["Read", "Glob", "Grep", "Bash", "WebFetch", "WebSearch"],
  },
  {
    type: "Plan",
    description: "For working out how something should be built before it is built.",
    prompt:
      "You are sent to plan and change nothing. Read what there is, weigh the ways to do it, and report a plan of steps with the files that each one touches.",
    tools: ["Read", "Glob", "Grep", "Bash", "WebFetch", "WebSearch"],
  },
];
