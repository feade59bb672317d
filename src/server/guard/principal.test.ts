import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { identify } from "./principal.ts";

const ann: Person = { name: "ann", role: "reader", configurations: null };

async function asked(
  headers: Record<string, string[]>,
): Promise<{ keys: string[]; person?: Person; refused?: string }> {
  const keys: string[] = [];
  const byKey = async (key: string) => {
    keys.push(key);
    if (key === "right") return ann;
    throw new AppError("auth.failed", `no such key in row ${key.length}`);
  };
  try {
    return { keys, person: await identify(headers, byKey) };
  } catch (error) {
    return { keys, refused: String(error) };
  }
}

describe("T36: who asks", () => {
  test.each([
    { authorization: ["Bearer right"] },
    { authorization: ["bearer  right"] },
    { "x-api-key": ["right"] },
    { authorization: ["Bearer right"], "x-api-key": ["right"] },
  ])("T36: %j is a key", async (headers) => {
    expect(await asked(headers)).toEqual({ keys: ["right"], person: ann });
  });

  test("T38: none, two and every wrong one are answered alike, and two are not even looked up", async () => {
    const [none, basic, two, twice, wrong, longer] = await Promise.all([
      asked({}),
      asked({ authorization: ["Basic right"] }),
      asked({ authorization: ["Bearer right"], "x-api-key": ["other"] }),
      asked({ authorization: ["Bearer right", "Bearer other"] }),
      asked({ "x-api-key": ["wrong"] }),
      asked({ "x-api-key": ["wrong, and longer"] }),
    ]);
    expect([none, basic, two, twice].map(({ keys }) => keys)).toEqual([[], [], [], []]);
    expect(new Set([none, basic, two, twice, wrong, longer].map(({ refused }) => refused))).toEqual(
      new Set([expect.stringContaining("a valid API key is needed")]),
    );
  });

  test("T36: a store that cannot be read is not a wrong key", async () => {
    const failing = identify({ "x-api-key": ["right"] }, () => Promise.reject(new AppError("store.failed", "away")));
    await expect(failing).rejects.toMatchObject({ code: "store.failed" });
  });
});
