import type { TerminalView } from "@signalbox/api";
import type { ShownTerminal, Typist } from "@signalbox/host";

/** The terminals of this machine, for agents that show themselves in one. */
export interface AgentTerminals {
  addAgent(view: TerminalView, terminal: ShownTerminal, onInput: (by: Typist) => void): void;
  forget(terminal: string): void;
}
