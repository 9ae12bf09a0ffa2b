import type { ReactNode } from "react";
import { MarkedText } from "../text/marked-text.tsx";
import { CodeBlock } from "../code/code-block.tsx";
import { Diagram } from "./diagram/diagram.tsx";
import { Formula } from "./formula.tsx";
import { ExternalLink } from "./external-link.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import type { Node, Root } from "./parse.ts";

const text = strings.content;

type Table = Extract<Node, { type: "table" }>;

/** Below this depth, text is rendered without further elements. */
const MAX_DEPTH = 60;

interface RenderContext {
  /** The end of the block's own text. After it there are only definitions from other blocks. */
  readonly end: number;
  readonly definitions: ReadonlyMap<string, string>;
  readonly growing: boolean;
}

/** Renders a Markdown tree as elements. HTML in it stays text (C17). */
export function renderTree(tree: Root, end: number, growing: boolean): ReactNode {
  const definitions = new Map<string, string>();
  for (const node of tree.children) {
    if (node.type === "definition") definitions.set(node.identifier, node.url);
  }
  return children(tree, { end, definitions, growing }, 0);
}

function children(
  parent: { readonly children: readonly Node[] },
  scene: RenderContext,
  depth: number,
): ReactNode {
  return parent.children
    .filter((node) => (node.position?.start.offset ?? 0) < scene.end)
    .map((node, at) => <Element key={at} node={node} scene={scene} depth={depth + 1} />);
}

function Element({
  node,
  scene,
  depth,
}: {
  node: Node;
  scene: RenderContext;
  depth: number;
}): ReactNode {
  if (depth > MAX_DEPTH) return <MarkedText text={collectText(node)} />;
  const inner = () => ("children" in node ? children(node, scene, depth) : null);
  switch (node.type) {
    case "text":
      return <MarkedText text={node.value} />;
    case "html":
      return (
        <span className="whitespace-pre-wrap">
          <MarkedText text={node.value} />
        </span>
      );
    case "paragraph":
      return <p>{inner()}</p>;
    case "heading":
      return heading(node.depth, inner());
    case "strong":
      return <strong>{inner()}</strong>;
    case "emphasis":
      return <em>{inner()}</em>;
    case "delete":
      return <del>{inner()}</del>;
    case "inlineCode":
      return (
        <code>
          <MarkedText text={node.value} />
        </code>
      );
    case "code":
      // Diagrams are drawn once they are complete.
      if (node.lang === "mermaid" && !scene.growing) return <Diagram code={node.value} />;
      return <CodeBlock code={node.value} name={node.lang} />;
    case "math":
      return <Formula source={node.value} block />;
    case "inlineMath":
      return <Formula source={node.value} block={false} />;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "blockquote":
      return <blockquote dir="auto">{inner()}</blockquote>;
    case "list":
      return node.ordered ? (
        <ol dir="auto" start={node.start ?? 1}>
          {inner()}
        </ol>
      ) : (
        <ul
          dir="auto"
          className={node.children.every((item) => item.checked != null) ? "tasks" : undefined}
        >
          {inner()}
        </ul>
      );
    case "listItem":
      return <Item checked={node.checked}>{inner()}</Item>;
    case "link":
      return <ExternalLink address={node.url}>{inner()}</ExternalLink>;
    case "linkReference": {
      const address = scene.definitions.get(node.identifier);
      return address === undefined ? (
        inner()
      ) : (
        <ExternalLink address={address}>{inner()}</ExternalLink>
      );
    }
    case "image":
      return <Picture address={node.url} alt={node.alt} />;
    case "imageReference":
      return <Picture address={scene.definitions.get(node.identifier) ?? ""} alt={node.alt} />;
    case "table":
      return <TableView table={node} scene={scene} depth={depth} />;
    case "footnoteReference":
      return <sup>{inert(node.label ?? node.identifier)}</sup>;
    case "footnoteDefinition":
      return (
        <div className="footnote">
          <sup>{inert(node.label ?? node.identifier)}</sup>
          {inner()}
        </div>
      );
    case "definition":
      return null;
    default:
      return "children" in node ? inner() : <MarkedText text={collectText(node)} />;
  }
}

/** Headings of the agent are below the page's own in rank, and differ by weight instead of size. */
function heading(depth: number, inner: ReactNode): ReactNode {
  if (depth === 1) return <h3 className="text-title">{inner}</h3>;
  return depth === 2 ? <h4>{inner}</h4> : <h5>{inner}</h5>;
}

function Item({ checked, children }: { checked: boolean | null | undefined; children: ReactNode }) {
  if (checked == null) return <li>{children}</li>;
  return (
    <li className="task">
      <input
        type="checkbox"
        checked={checked}
        readOnly
        disabled
        aria-label={checked ? text.taskDone : text.taskOpen}
      />
      <div>{children}</div>
    </li>
  );
}

/** Images on other servers are not loaded; their description links to them. */
function Picture({ address, alt }: { address: string; alt: string | null | undefined }) {
  const words = alt ? text.pictureOf(inert(alt)) : text.picture;
  return <ExternalLink address={address}>{words}</ExternalLink>;
}

function TableView({ table, scene, depth }: { table: Table; scene: RenderContext; depth: number }) {
  const [head, ...rows] = table.children;
  const cell = (at: number) => ({ textAlign: table.align?.[at] ?? undefined }) as const;
  return (
    <div className="my-3 overflow-x-auto" tabIndex={0} role="region" aria-label={text.table}>
      <table>
        <thead>
          <tr>
            {head?.children.map((one, at) => (
              <th key={at} scope="col" style={cell(at)}>
                {children(one, scene, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => (
            <tr key={nth}>
              {row.children.map((one, at) => (
                <td key={at} style={cell(at)}>
                  {children(one, scene, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** All text below a node. Iterative, because trees may be deep. */
function collectText(node: Node): string {
  const found: string[] = [];
  const open: Node[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if ("value" in next) found.push(next.value);
    if ("children" in next) open.push(...next.children.toReversed());
  }
  return found.join("");
}
