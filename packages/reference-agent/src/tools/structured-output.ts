import { findViolations, type Schema } from "../json/schema.ts";
import { type Tool, ToolFailure } from "../tool.ts";

/** The tool with which a model returns an answer of a given schema. The turn ends with it. */
export function structuredOutput(schema: Schema): Tool {
  return {
    name: "StructuredOutput",
    description:
      "Hands over the final answer in the shape that was asked for. Call it once, when everything else is done.",
    input: schema,
    async run(input) {
      const found = findViolations(schema, input).map(({ at, must, kind, property }) => {
        const extra = kind === "unexpected" ? ` ('${property}' is not allowed)` : "";
        return `${at === "" ? "root" : at}: ${must}${extra}`;
      });
      if (found.length > 0) {
        throw new ToolFailure(`Output does not match required schema: ${found.join(", ")}`);
      }
      const content = "Structured output provided successfully";
      return { content, structured: content, endsTurn: { structuredOutput: input } };
    },
  };
}
