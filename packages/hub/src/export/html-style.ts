/** The look of the page, for one file that is read without it. The values are those of the page's tokens. */
export const exportStyle = `
:root{color-scheme:light dark;--ground:light-dark(#fff,#121314);--sunken:light-dark(#f6f6f5,#0c0d0e);--ink:light-dark(#1b1c1e,#ececed);--dim:light-dark(#5c6066,#a1a5ab);--faint:light-dark(#63676d,#91969d);--line:light-dark(#00000014,#ffffff14);--accent:light-dark(#2f5fd0,#7aa2ff);--failed:light-dark(#c9313c,#f2686f);--added:light-dark(#1a8a4c14,#4cc38a1c);--removed:light-dark(#c9313c12,#f2686f1c);--selected:light-dark(#0000000d,#ffffff12)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/21px "Geist Variable",Geist,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main,footer{max-width:760px;margin:0 auto;padding:0 16px}
header{padding-top:32px;padding-bottom:12px;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere}
header p{margin:6px 0 0}
main{padding-top:16px;padding-bottom:32px}
footer{padding-bottom:32px;font-size:12px}
.faint{color:var(--faint);font-size:12px}
.chip{padding:2px 8px;border-radius:6px;background:var(--selected);color:var(--dim);font-size:12px;overflow-wrap:anywhere}
.prompt{width:fit-content;max-width:85%;margin:24px 0 16px auto;padding:8px 14px;border-radius:12px;background:var(--selected)}
.prompt p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.prose{overflow-wrap:anywhere}
.prose>:first-child{margin-top:8px}
.prose h1,.prose h2,.prose h3{font-size:16px;line-height:24px}
a{color:var(--accent)}
code,pre{font:12px/18px "Geist Mono Variable","Geist Mono",ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.prose code{padding:1px 4px;border-radius:4px;background:var(--selected)}
pre{margin:0;padding:10px 14px;overflow-x:auto;background:var(--sunken)}
.prose pre{border:1px solid var(--line);border-radius:8px}
.prose pre code{padding:0;background:none}
table{border-collapse:collapse}td,th{padding:4px 10px;border:1px solid var(--line);text-align:start}
blockquote{margin:8px 0;padding-left:12px;border-left:2px solid var(--line);color:var(--dim)}
.call{margin:8px 0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.head{padding:6px 12px;cursor:default;overflow-wrap:anywhere}
summary{cursor:pointer}
.call pre{border-top:1px solid var(--line);max-height:480px;overflow:auto}
.quiet{margin:8px 0;color:var(--dim)}
.note{margin:8px 0;color:var(--faint);font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere}
.failed{color:var(--failed)}
.added{background:var(--added)}.removed{background:var(--removed)}
.lane{margin-left:12px;padding-left:12px;border-left:2px solid var(--line)}
@media print{details::details-content{content-visibility:visible;height:auto}.call pre{max-height:none}}
`.replaceAll("\n", "");
