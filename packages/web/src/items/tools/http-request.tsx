import { Link } from "../../markdown/link-view.tsx";
import { type Body, beginning, brief, lengthOf } from "../../text/body.ts";
import { Section } from "../parts/card.tsx";
import { Prose, Words } from "../parts/prose.tsx";
import { bytes, counted } from "../../text/format.ts";
import { ToolCard, type ToolProps } from "./tool-card.tsx";

/** A page that was fetched, or a search of the web. */
export function HttpRequestView({ item, payload }: ToolProps<"http_request">) {
  const { output, url, prompt } = payload;
  const results = output?.results ?? [];
  const answer = output !== undefined && lengthOf(output.response) > 0;
  const searched = payload.method === "SEARCH";
  return (
    <ToolCard
      item={item}
      title={brief(payload.query ?? url ?? item.title)}
      mono={!searched}
      meta={
        <>
          {output?.status !== undefined && (
            <span className={output.status >= 400 ? "text-failed" : ""}>{output.status}</span>
          )}
          {output?.bytes !== undefined && <span>{bytes(output.bytes)}</span>}
          {searched && output && <span>{counted(results.length, "result")}</span>}
        </>
      }
    >
      {url !== undefined && (
        <Section label="from">
          <Link address={beginning(url, 4000)}>{brief(url, 4000)}</Link>
        </Section>
      )}
      {prompt !== undefined && (
        <Section label="asked">
          <Words body={prompt} />
        </Section>
      )}
      {results.length > 0 && <Results results={results} />}
      {answer && (
        <Section label="said">
          <Prose body={output.response} />
        </Section>
      )}
    </ToolCard>
  );
}

function Results({ results }: { results: readonly { title: Body; url: Body }[] }) {
  return (
    <Section label="found">
      <ul className="space-y-1">
        {results.map(({ title, url }, at) => (
          <li key={at} className="truncate">
            <Link address={beginning(url, 4000)}>{brief(title, 200)}</Link>{" "}
            <span className="font-mono text-small text-dim">{hostOf(beginning(url, 4000))}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}
