import { settings } from "./en/settings.ts";
import { settingKeywords } from "./en/setting-keywords.ts";

/** What the settings say: a catalog of its own, which the page loads with them. */
export const settingsStrings: typeof settings = settings;
export const settingsKeywords: typeof settingKeywords = settingKeywords;
