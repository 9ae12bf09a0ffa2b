/** A refusal by the API with a known text, and what hosts and people are told about it. */
interface KnownRefusal {
  readonly apiText: RegExp;
  /** The status with which it counts; undefined: any. */
  readonly status?: number;
  readonly word: string;
  readonly text: string;
  /** Its name in `api_error`. */
  readonly name?: string;
  /** How the turn ends; undefined: `api_error`. */
  readonly ends?: "image_error";
}

const refusals: readonly KnownRefusal[] = [
  {
    apiText: /credit balance is too low/i,
    word: "billing_error",
    text: "Credit balance is too low",
  },
  {
    apiText: /x-api-key/i,
    word: "authentication_failed",
    text: "Invalid API key · Fix external API key",
  },
  {
    apiText: /organization has been disabled/i,
    status: 400,
    word: "invalid_request",
    text: "Your ANTHROPIC_API_KEY belongs to a disabled organization · Update or unset the environment variable",
    name: "org_disabled_credential",
  },
  {
    apiText: /image exceeds.*maximum/,
    status: 400,
    word: "invalid_request",
    text: "Image was too large. Try resizing the image or using a different approach.",
    ends: "image_error",
  },
  {
    apiText: /maximum of \d+ PDF pages/,
    word: "invalid_request",
    text: "PDF too large (max 100 pages, 20MB). Try reading the file a different way (e.g., extract text with pdftotext).",
    name: "pdf_too_large",
    ends: "image_error",
  },
  {
    apiText: /The PDF specified is password protected/,
    word: "invalid_request",
    text: "PDF is password protected. Try using a CLI tool to extract or convert the PDF.",
    name: "pdf_password_protected",
    ends: "image_error",
  },
];

export function knownRefusal(failure: {
  readonly status: number | undefined;
  readonly apiText: string;
}): KnownRefusal | undefined {
  const { status, apiText } = failure;
  if (status === undefined) return undefined;
  return refusals.find((one) => one.apiText.test(apiText) && (one.status ?? status) === status);
}
