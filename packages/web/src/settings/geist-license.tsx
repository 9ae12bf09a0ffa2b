import license from "@fontsource-variable/geist/LICENSE?raw";

/** The license of the fonts, as it came with them. */
export default function GeistLicense() {
  return (
    <pre className="box max-h-96 overflow-y-auto p-3.5 font-mono text-small whitespace-pre-wrap wrap-anywhere">
      {license}
    </pre>
  );
}
