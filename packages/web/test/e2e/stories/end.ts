import { playsAll } from "../plays-all.ts";
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SharedStage, Window } from "../stage.ts";

/** The end of a conversation, which is followed until a person scrolls away. */
export function end(stage: SharedStage): void {
  let window: Window;
  beforeAll(async () => {
    window = await stage.open({ name: "The desk" });
    await window.begin("Begin.\n::flood 1500\n::say Ready.");
    await window.reads("Ready.");
    await window.shows("idle");
    await atEnd();
  });
  afterAll(() => stage.rest());

  const newest = () => window.button("Jump to latest");
  /** Settles when the very end of the conversation is in sight. */
  const atEnd = () =>
    window.page.waitForFunction(() => {
      const list = document.querySelector("[data-role=conversation]");
      return list && list.scrollHeight - list.scrollTop - list.clientHeight <= 1;
    });

  test.if(playsAll)(
    "[PG14] the end is followed when an item shrinks and an ask comes below it before the browser tells of that",
    async () => {
      await window.conversation.evaluate(async (list) => {
        const frames = async (count: number) => {
          for (let nth = 0; nth < count; nth++) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        };
        const item = list.querySelector<HTMLElement>("[data-index]:last-child .item-row");
        if (!item) throw new Error("there is no item");
        const dock = document.createElement("div");
        dock.style.cssText = "flex:none;height:200px";
        item.style.paddingBottom = "100px";
        await frames(3);
        item.style.paddingBottom = ""; // laid out in this frame; that the list moved is told in the next
        await new Promise((resolve) => setTimeout(resolve));
        list.parentElement?.after(dock);
        await frames(3);
      });
      expect(await newest().count()).toBe(0);
      await window.say("More.\n::flood 300\n::say Still followed.");
      await window.reads("Still followed.");
      await window.shows("idle");
      expect(await newest().count()).toBe(0);
      await atEnd();
    },
  );

  test("[PG14] who scrolls up in the middle of a stream gets away, and what is seen does not move", async () => {
    await window.say("Go.\n::say Here it goes.\n::flood 400 100\n::say All said.");
    await window.reads("Here it goes.");
    await window.conversation.hover();
    await window.page.mouse.wheel(0, -500);
    await newest().waitFor();
    const shift = await window.conversation.evaluate(async (list) => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let still = 0, at = -1; still < 10; at = list.scrollTop) {
        await next();
        still = list.scrollTop === at ? still + 1 : 0; // a wheel runs on for a while
      }
      const frame = list.getBoundingClientRect();
      const rows = [...list.querySelectorAll("[data-index]")];
      const seen = rows.find((row) => row.getBoundingClientRect().bottom > frame.top);
      const at = seen?.getBoundingClientRect().top ?? 0;
      const idle = () => document.querySelector('.page-head [data-lamp="idle"]');
      let most = 0;
      while (!idle()) {
        await next();
        most = Math.max(most, Math.abs((seen?.getBoundingClientRect().top ?? Infinity) - at));
      }
      return most;
    });
    expect(shift).toBeLessThan(1);
    expect(await newest().count()).toBe(1);
  });

  test("[PG14] back at the end, by the button or by a key, it is followed again", async () => {
    await newest().click();
    await atEnd();
    await window.vanish(newest());
    await window.conversation.focus();
    await window.page.keyboard.press("Home");
    await newest().waitFor();
    await window.page.keyboard.press("End");
    await newest().waitFor({ state: "detached" });
    await window.say("And.\n::flood 300\n::say Followed again.");
    await window.reads("Followed again.");
    await window.shows("idle");
    await atEnd();
  });

  test.if(playsAll)(
    "[PG14] a finger gets away from a stream, too, however slowly it moves",
    async () => {
      const phone = await stage.open({
        name: "The phone",
        context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      });
      await phone.page.goto(window.page.url());
      await phone.reads("Followed again.");
      await phone.say("Slowly.\n::say Here it comes.\n::flood 300 100\n::say Slow.");
      await phone.reads("Here it comes.");
      const finger = await phone.context.newCDPSession(phone.page);
      const place = await phone.conversation.boundingBox();
      const [x, y] = [(place?.x ?? 0) + 100, (place?.y ?? 0) + 100];
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) => {
        const touchPoints = at === undefined ? [] : [{ x, y: y + at }];
        return finger.send("Input.dispatchTouchEvent", { type, touchPoints });
      };
      await touch("touchStart", 0);
      for (let at = 0; at <= 160; at += 8) await touch("touchMove", at);
      await touch("touchEnd");
      await phone.button("Jump to latest").waitFor();
      await phone.shows("idle");
      expect(await phone.button("Jump to latest").count()).toBe(1);
      expect(phone.troubles()).toEqual([]);
    },
  );

  test("nothing went wrong in the page", () => expect(window.troubles()).toEqual([]));
}
