import { describe, expect, test } from "vitest";
import { limits, withDefaults } from "./limits.ts";

describe("SK-3: limits", () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "64", null, undefined])(
    "%s means the default, never unlimited",
    (rubbish) => {
      const wanted = { headerBytes: rubbish } as unknown as { headerBytes: number };
      expect(withDefaults(limits.skill.workspace, wanted)).toEqual(limits.skill.workspace);
    },
  );

  test("a usable value replaces the default and nothing else", () => {
    expect(withDefaults(limits.skill.ingest, { headerBytes: 10 })).toEqual({ ...limits.skill.ingest, headerBytes: 10 });
  });

  test("ingest is tighter than the other profiles", () => {
    expect(limits.skill.ingest).toMatchObject({ headerBytes: 8192, bodyBytes: 262_144 });
    expect(limits.skill.strict).toMatchObject({ headerBytes: 65_536, fileBytes: 1_048_576 });
  });
});
