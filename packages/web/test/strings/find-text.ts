import { parseSync } from "vite";

/** A text that people read, written outside of the catalog. */
export interface WrittenText {
  readonly line: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Attributes and fields that are shown or read aloud: even one word in them is a text. */
const shownNames = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "aria-valuetext",
  "description",
  "heading",
  "hint",
  "label",
  "message",
  "note",
  "placeholder",
  "reason",
  "text",
  "title",
  "data-tip",
  "tooltip",
]);

/** Attributes and fields whose values are words of a machine, such as classes and selectors. */
const machineNames = new Set([
  "allow",
  "className",
  "csp",
  "data-role",
  "font",
  "keys",
  "look",
  "topic",
  "rel",
  "sandbox",
  "sizes",
  "style",
  "transform",
]);

/** Functions that take selectors, class names, media queries and the like. */
const machineCalls = new Set([
  "addEventListener",
  "closest",
  "getElementsByClassName",
  "matches",
  "matchMedia",
  "querySelector",
  "querySelectorAll",
  "RegExp",
]);

const word = /\p{L}{2,}/u;
const twoWords = /\p{L}{2,}[,.:;!?…’']*\s+(?:[“"(]?\p{L}+)/u;

/** The texts in a module of the page that a person would read and no catalog holds. */
export function findText(file: string, source: string): WrittenText[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: WrittenText[] = [];
  const add = ({ start }: Node, text: string) => {
    found.push({ line: source.slice(0, start).split("\n").length, text: text.trim() });
  };

  /** `isShown`: the value ends up on the page, so that one word is enough. */
  function visit(node: Node, isShown: boolean): void {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAnnotation":
      case "TSTypeParameterInstantiation":
      case "TSLiteralType":
      case "TSUnionType":
        return;
      case "JSXText":
        check(node, String(node.value), true);
        return;
      case "Literal":
        if (typeof node.value === "string") check(node, node.value, isShown);
        return;
      case "TemplateLiteral": {
        const parts = node.quasis as { value: { cooked: string } }[];
        check(node, parts.map(({ value }) => value.cooked).join("…"), isShown);
        for (const expression of node.expressions as Node[]) visit(expression, isShown);
        return;
      }
      case "TaggedTemplateExpression":
        return;
      case "JSXAttribute": {
        const name = String((node.name as Node).name);
        if (!machineNames.has(name) && node.value) visit(node.value as Node, shownNames.has(name));
        return;
      }
      case "JSXElement":
      case "JSXFragment":
        visitFields(node, ["openingElement"], false);
        for (const child of node.children as Node[]) visit(child, true);
        return;
      case "Property": {
        const key = node.key as Node;
        const name = String(key.name ?? key.value);
        if (!machineNames.has(name)) visit(node.value as Node, shownNames.has(name));
        return;
      }
      case "CallExpression":
      case "NewExpression": {
        const callee = node.callee as Node;
        const name = String(((callee.property as Node | undefined) ?? callee).name);
        visit(callee, false);
        if (!machineCalls.has(name))
          for (const argument of node.arguments as Node[]) visit(argument, false);
        return;
      }
      case "BinaryExpression":
        // What is compared is not shown; what is put together with + is.
        if (node.operator === "+") visitFields(node, ["left", "right"], isShown);
        return;
      case "ConditionalExpression":
        visit(node.test as Node, false);
        visitFields(node, ["consequent", "alternate"], isShown);
        return;
      case "LogicalExpression":
        visit(node.left as Node, node.operator !== "&&" && isShown);
        visit(node.right as Node, isShown);
        return;
      case "JSXExpressionContainer":
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSNonNullExpression":
      case "TSSatisfiesExpression":
        visit(node.expression as Node, isShown);
        return;
      default:
        visitFields(node, Object.keys(node), false);
    }
  }

  function visitFields(node: Node, names: readonly string[], isShown: boolean): void {
    for (const name of names) {
      const value = node[name];
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(child)) visit(child, isShown);
    }
  }

  function check(node: Node, text: string, isShown: boolean): void {
    if ((isShown ? word : twoWords).test(text) && !isForMachines(text)) add(node, text);
  }

  visit(program as unknown as Node, false);
  return found;
}

/** Markup, commands that are copied as they are, and lists of classes such as `remark text-dim`. */
function isForMachines(text: string): boolean {
  if (text.startsWith("<") || /^(?:npx )?signalbox /.test(text)) return true;
  const tokens = text.trim().split(/\s+/);
  const classes = tokens.filter((token) => /^[a-z\d]+(?:-[a-z\d…[\]!]*)+$/.test(token));
  return tokens.every((token) => /^[a-z\d…]/.test(token)) && classes.length * 2 >= tokens.length;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
