import { describe, expect, it } from "vitest";
import { findAlike, skeletonOf } from "./alike.ts";

function alike(one: string, other: string): boolean {
  const named = [one, other].map((name, at) => ({
    id: `${at}`,
    bytes: `${at}`,
    publisher: `${at}`,
    skeleton: skeletonOf(name),
  }));
  return findAlike(named.slice(0, 1), named).has("0");
}

describe("T32: names that can be taken for one another", () => {
  it.each([
    ["case and separators", "Brand-Voice", "brandvoice"],
    ["a digit for a letter", "brand-v0ice", "brand-voice"],
    ["one for l", "googie", "google"],
    ["rn for m", "gmail", "grnail"],
    ["a doubled letter", "googgle", "google"],
    ["a letter less", "yahoo-finance", "yaho-finance"],
    ["a letter more", "summarize", "summarizer"],
    ["a letter swapped for another", "clawhub", "clawhab"],
    ["a Cyrillic letter", "brand-voice", "brand-vоice"],
  ])("%s", (_what, one, other) => {
    expect(alike(one, other)).toBe(true);
    expect(alike(other, one)).toBe(true);
  });

  it.each([
    ["other words", "pdf-forms", "brand-voice"],
    ["short ones", "pdf", "pdb"],
    ["two letters", "deploy-prod", "deploy-test"],
    ["a word more", "review", "review-notes"],
  ])("not %s", (_what, one, other) => {
    expect(alike(one, other)).toBe(false);
  });

  it("not the same bytes in another place, nor another skill of the same publisher", () => {
    const skeleton = skeletonOf("brand-voice");
    const same = ["a", "b"].map((id) => ({ id, bytes: "same", publisher: id, skeleton }));
    expect(findAlike(same, same).size).toBe(0);
    const own = ["a", "b"].map((id) => ({ id, bytes: id, publisher: "one", skeleton }));
    expect(findAlike(own, own).size).toBe(0);
  });

  it("names a few of many", () => {
    const all = Array.from({ length: 1000 }, (_, at) => ({
      id: `${at}`,
      bytes: `${at}`,
      publisher: `${at}`,
      skeleton: "brandvoice",
    }));
    expect(findAlike(all.slice(0, 1), all).get("0")).toEqual(["1", "2", "3", "4", "5", "6"]);
  });
});
