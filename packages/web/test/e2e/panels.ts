import type { Locator, Page } from "playwright-core";

/** Opens the panel of a session, if it is closed, and there the view with this name. */
export async function openPanel(page: Page, name: string): Promise<Locator> {
  const toggle = page.locator("[data-role=panel-toggle]");
  const more = page.locator("[data-role=more-panels]");
  if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  await more.waitFor();
  const tab = page.getByRole("tab", { name, exact: true });
  if ((await tab.count()) > 0) await tab.click();
  else {
    await more.click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  }
  await tab.and(page.locator("[aria-selected=true]")).waitFor();
  return page.getByRole("tabpanel");
}
