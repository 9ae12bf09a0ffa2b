import { ExternalLink } from "../../markdown/external-link.tsx";
import { type Body, toShortRawText, toShortText, getLength } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Prose, PlainProse } from "../parts/prose.tsx";
import { formatBytes, formatCount } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";
import { strings } from "../../strings/strings.ts";

const text = strings.tools;

/** A fetched page or a web search. */
export function HttpRequestView({ item, payload }: ToolProps<"http_request">) {
  const { output, url, prompt } = payload;
  const results = output?.results ?? [];
  const answer = output !== undefined && getLength(output.response) > 0;
  const searched = payload.method === "SEARCH";
  return (
    <ToolCard
      item={item}
      title={toShortText(payload.query ?? url ?? item.title)}
      mono={!searched}
      meta={
        <>
          {output?.status !== undefined && (
            <span className={output.status >= 400 ? "text-failed" : ""}>{output.status}</span>
          )}
          {output?.bytes !== undefined && <span>{formatBytes(output.bytes)}</span>}
          {searched && output && <span>{formatCount(results.length, "result")}</span>}
        </>
      }
    >
      {url !== undefined && (
        <Section label={text.url}>
          <ExternalLink address={toShortRawText(url, 4000)}>{toShortText(url, 4000)}</ExternalLink>
        </Section>
      )}
      {prompt !== undefined && (
        <Section label={text.prompt}>
          <PlainProse body={prompt} />
        </Section>
      )}
      {results.length > 0 && <Results results={results} />}
      {answer && (
        <Section label={text.result}>
          <Prose body={output.response} />
        </Section>
      )}
    </ToolCard>
  );
}

function Results({ results }: { results: readonly { title: Body; url: Body }[] }) {
  return (
    <Section label={text.results}>
      <ul className="space-y-1">
        {results.map(({ title, url }, at) => (
          <li key={at} className="truncate">
            <ExternalLink address={toShortRawText(url, 4000)}>
              {toShortText(title, 200)}
            </ExternalLink>{" "}
            <span className="font-mono text-small text-dim">
              {getHost(toShortRawText(url, 4000))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function getHost(url: string): string {
  return URL.parse(url)?.host ?? "";
}
