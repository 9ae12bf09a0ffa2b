/** The setting of the pages of other programs that may use this hub. */
export const embedding = {
  title: "Pages of other programs",
  intro:
    "A page at one of these origins can use this hub as a viewer or a driver, once it is paired with a code for one of these roles. Devices that can approve don't work there.",
  field: "One origin per line, such as https://app.example.com",
  none: "No origins are listed.",
  save: "Save origins",
  keywords: "embed cors origin website widget react",
} as const;
