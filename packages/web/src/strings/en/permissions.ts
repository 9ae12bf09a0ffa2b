/** The permission of a session: how much the agent may do without asking. */
export const permissions = {
  label: "Permission",
  default: "Ask first",
  defaultHint: "Asks before editing files or running commands, following Claude Code's own rules",
  acceptEdits: "Auto-accept edits",
  acceptEditsHint: "Edits files without asking; asks before running commands",
  plan: "Plan",
  planHint: "Reads and plans; changes nothing until you approve the plan",
  supervised: "Supervised",
  supervisedHint: "Asks before everything except reading, even if a rule allows it",
  autonomous: "Autonomous",
  autonomousHint: "Runs everything without asking, for 8 hours",
  confirmTitle: "Run without asking?",
  confirmText:
    "For the next 8 hours the agent runs any command as you, and never asks. Use this only where it can do no harm.",
  confirmButton: "Run without asking for 8 hours",
  couldNotChange: "Couldn't change the permission",
  stricterOnly:
    "This device can only choose stricter permissions. Use a device with the approver role for others.",
} as const;
