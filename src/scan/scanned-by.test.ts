import { describe, expect, it } from "vitest";
import { isByNewer, isByOlder } from "./scanned-by.ts";
import { scannerVersion } from "./version.ts";

const [major = 0, minor = 0, patch = 0] = scannerVersion.split(".").map(Number);

describe("RV-6: which scanner looked at it", () => {
  it.each([
    ["none that is known", ""],
    ["something that is no version", "latest"],
    ["the release before", minor > 0 ? `${major}.${minor - 1}.99` : `${major}.${minor}.${patch - 1}`],
  ])("%s is older", (_what, version) => {
    expect([isByOlder(version), isByNewer(version)]).toEqual([true, false]);
  });

  it.each([
    ["the next fix", `${major}.${minor}.${patch + 1}`],
    ["ten is more than nine", `${major}.${minor + 10}.0`],
    ["another world", `${major + 1}.0.0`],
  ])("%s is newer", (_what, version) => {
    expect([isByOlder(version), isByNewer(version)]).toEqual([false, true]);
  });

  it("this one, and a trial of it, is neither", () => {
    for (const version of [scannerVersion, `${scannerVersion}-beta.1`])
      expect([isByOlder(version), isByNewer(version)]).toEqual([false, false]);
  });
});
