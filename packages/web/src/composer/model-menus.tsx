import type { AgentModel } from "@signalbox/api";
import { Gauge, Sparkles } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { PillMenu } from "../ui/pill-menu.tsx";

const text = strings.composer;

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why nothing can be chosen now. */
  readonly disabledReason?: string | undefined;
}

export function ModelMenu({ models, ...props }: Props & { models: readonly AgentModel[] }) {
  const isKnown = models.some(({ value }) => value === props.value);
  const options = models.map(({ value, name }) => ({
    value,
    label: name.replace(/ \(recommended\)$/, ""),
  }));
  const current = { value: props.value, label: props.value || text.defaultModel };
  return (
    <PillMenu
      {...props}
      label={text.model}
      icon={Sparkles}
      options={isKnown ? options : [current, ...options]}
      role="model"
    />
  );
}

export function EffortMenu({ efforts, ...props }: Props & { efforts: readonly string[] }) {
  return (
    <PillMenu
      {...props}
      label={text.effort}
      icon={Gauge}
      options={[
        { value: "", label: text.defaultEffort },
        ...efforts.map((effort) => ({ value: effort, label: effortLabel(effort) })),
      ]}
      role="effort"
    />
  );
}

/** The label of an effort level, which the agent names. */
function effortLabel(effort: string): string {
  const known: Readonly<Record<string, string>> = text.efforts;
  return known[effort] ?? effort;
}
