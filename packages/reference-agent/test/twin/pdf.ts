/** Creates a PDF of empty pages. */
export function createPdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${3 + at} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages}/Kids[${kids}]/MediaBox[0 0 72 72]>>`,
    ...Array.from({ length: pages }, () => "<</Type/Page/Parent 2 0 R>>"),
  ];
  let text = "%PDF-1.4\n";
  const rows = objects.map((object, at) => {
    const row = `${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  return `${text}${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}
