import type { AskView, RunnerView, SessionSummary } from "@signalbox/api";
import type { ClientFigures } from "../fan-out/live-clients.ts";
import type { Counters } from "./counters.ts";

/** What the metrics are made of when somebody asks for them. */
interface MetricSources {
  readonly now: number;
  readonly version: string;
  readonly counters: Counters;
  readonly sessions: readonly Pick<SessionSummary, "state" | "summary">[];
  readonly asks: readonly Pick<AskView, "openedAt">[];
  readonly clients: ClientFigures;
  readonly runners: readonly Pick<RunnerView, "machine" | "online" | "runs" | "load">[];
}

type Labels = Readonly<Record<string, string | number>>;
interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** Added to the name, such as `_sum`. */
  readonly suffix?: string;
}

/** The figures of a hub in the text format of Prometheus. Nothing in it says what sessions are about. */
export function formatMetrics(sources: MetricSources): string {
  const { now, version, counters, sessions, asks, clients, runners } = sources;
  const states = Map.groupBy(sessions, ({ state, summary }) =>
    state === "running" ? summary.status : state,
  );
  const oldest = Math.min(now, ...asks.map(({ openedAt }) => openedAt));
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const machines = runners.map(({ machine, ...facts }) => ({ ...facts, labels: { machine } }));
  const metrics = [
    metric("hub_info", "gauge", "The version of the hub.", [{ value: 1, labels: { version } }]),
    metric(
      "sessions",
      "gauge",
      "Sessions by what they are doing.",
      [...states].map(([state, list]) => ({ value: list.length, labels: { state } })),
    ),
    metric("requests_open", "gauge", "Requests that wait for a person.", [{ value: asks.length }]),
    metric("request_oldest_seconds", "gauge", "How long the oldest open request has waited.", [
      { value: (now - oldest) / 1000 },
    ]),
    metric("lines_total", "counter", "Lines that were stored.", [{ value: counters.lines }]),
    metric("lines_dropped_total", "counter", "Lines that the store refused for good.", [
      { value: counters.dropped },
    ]),
    metric("commit_seconds", "histogram", "How long the store took for a transaction.", [
      ...counters
        .listCommitBuckets()
        .map(({ end, count }) => ({ suffix: "_bucket", labels: { le: end }, value: count })),
      { suffix: "_bucket", labels: { le: "+Inf" }, value: counters.commits },
      { suffix: "_sum", value: counters.commitSeconds },
      { suffix: "_count", value: counters.commits },
    ]),
    metric("clients", "gauge", "Clients with a live connection.", [{ value: clients.connected }]),
    metric("clients_slow", "gauge", "Clients that are sent nothing until they have caught up.", [
      { value: clients.slow },
    ]),
    metric("client_sent_characters_total", "counter", "What was sent to clients.", [
      { value: clients.sentCharacters },
    ]),
    metric(
      "machine_online",
      "gauge",
      "Whether the runner of a machine is connected.",
      machines.map(({ online, labels }) => ({ value: online ? 1 : 0, labels })),
    ),
    metric(
      "machine_agents",
      "gauge",
      "Agents that run on a machine.",
      machines.map(({ runs, labels }) => ({ value: runs, labels })),
    ),
    metric(
      "machine_load",
      "gauge",
      "The load average of a machine's last minute.",
      machines.flatMap(({ load, labels }) => (load ? [{ value: load.average, labels }] : [])),
    ),
    metric("hub_memory_bytes", "gauge", "Memory of the hub's process.", [{ value: memory.rss }]),
    metric("hub_cpu_seconds_total", "counter", "CPU time of the hub's process.", [
      { value: (cpu.user + cpu.system) / 1e6 },
    ]),
  ];
  return metrics.join("");
}

function metric(
  name: string,
  type: "gauge" | "counter" | "histogram",
  help: string,
  samples: readonly Sample[],
): string {
  const full = `signalbox_${name}`;
  const rows = samples.map(
    ({ suffix = "", labels, value }) => `${full}${suffix}${formatLabels(labels)} ${value}\n`,
  );
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${rows.join("")}`;
}

function formatLabels(labels: Labels | undefined): string {
  if (!labels) return "";
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string | number): string {
  return String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
