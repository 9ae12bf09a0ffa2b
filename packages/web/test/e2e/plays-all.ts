/**
 * Whether every story of the page is played (`npm run test:page`), or, as in `npm test`, those that stand for
 * the others. The rest is written `test.if(playsAll)`.
 */
export const playsAll = process.env["SIGNALBOX_TEST_PAGE"] === "whole";
