import { until } from "@signalbox/testing/until";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** Hundreds of items. */
export function long(stage: SharedStage): void {
  const CALLS = 260;

  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    const calls = Array.from(
      { length: CALLS },
      (_, nth) => `::tool Read {"file_path":"${nth}.txt"}`,
    );
    const write = '::tool Write {"file_path":"early.txt","content":"written early"}\n::next';
    await window.begin(`The very first words.\n${write}\n${calls.join("\n")}\n::say All read.`);
    await window.allow();
    await window.reads("All read.");
    await window.shows("idle");
  });
  afterAll(() => stage.rest());

  const elements = () => window.page.evaluate(() => document.querySelectorAll("*").length);
  /** Unfolds all of the work, and goes to its end. */
  const openWork = async () => {
    await window.conversation.locator("[data-role=work][aria-expanded=false]").click();
    await window.conversation.press("End");
    await window.vanish(window.conversation.getByText("The very first words."));
  };

  test("[PG14] a long conversation opens at its end with few elements, its work unfolded, too", async () => {
    await window.page.reload();
    await window.reads("All read.");
    expect(await elements()).toBeLessThan(3000);
    await openWork();
    await window.reads("All read.");
    expect(await elements()).toBeLessThan(3000);
  });

  test("[PG28] from a changed file one comes to its change, however far up it stands", async () => {
    const { page, conversation } = window;
    await window.openPanel("Changes");
    await page.getByRole("button", { name: "early.txt" }).click();
    await page.locator("[data-role=reveal]").click();
    const found = conversation.locator(".item-row:focus");
    await found.getByText("written early").waitFor();
    await window.showsInSight(".item-row:focus");
    await window.openPanel("Tasks");
    await page.reload();
    await window.reads("All read.");
  });

  test("[PG14] older items come as one scrolls up, and what is looked at stays where it is", async () => {
    const { page, conversation } = window;
    await openWork();
    await conversation.hover();
    const first = conversation.getByText("The very first words.");
    await until("the first words are there", async () => {
      const seen = await page.evaluate(() => {
        const list = document.querySelector("[data-role=conversation]");
        const frame = list?.getBoundingClientRect();
        const items = [...(list?.querySelectorAll("[data-item]") ?? [])];
        const inSight = items.find((item) => item.getBoundingClientRect().top > (frame?.top ?? 0));
        return inSight?.getAttribute("data-item");
      });
      await page.mouse.wheel(0, -300);
      const again = conversation.locator(`[data-item="${seen}"]`);
      // A turn of the wheel moves it out of sight by no more than what was turned.
      expect(await again.count()).toBe(1);
      return (await first.count()) > 0;
    });
    expect(await elements()).toBeLessThan(3000);
  });

  test("[PG14] who has scrolled away stays there while the agent speaks, and is told the way back", async () => {
    const { conversation } = window;
    const id = window.page.url().split("/s/")[1] ?? "";
    await stage.hub.admin.send(id, { text: "More.\n::say More was said." });
    const isOver = async () => {
      const { turns, status } = (await stage.hub.admin.session(id)).summary;
      return turns === 2 && status === "idle";
    };
    await until("the second turn is over", isOver);
    await window.shows("idle");
    expect(await conversation.getByText("More was said.").count()).toBe(0);
    await window.button("Jump to latest").click();
    await window.reads("More was said.");
  });

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
