import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { atOneGeneration, GenerationChanged } from "./one-generation.ts";

/** Something that is in the way of a change so many times, and how often it was done. */
function changing(times: number) {
  const seen = { attempts: 0 };
  const act = async () => {
    seen.attempts++;
    if (seen.attempts <= times) throw new GenerationChanged();
    return `attempt ${seen.attempts}`;
  };
  return { act, seen };
}

describe("invariant 8: one generation per request", () => {
  test("what nothing changed under is done once", async () => {
    expect(await atOneGeneration(changing(0).act)).toBe("attempt 1");
  });

  test("it is done again until nothing changed meanwhile", async () => {
    expect(await atOneGeneration(changing(999).act)).toBe("attempt 1000");
  });

  test("where changes do not end, it ends with an error that says so", async () => {
    const { act, seen } = changing(Infinity);
    const error = await atOneGeneration(act).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: "store.failed", message: expect.stringContaining("1,000 attempts") });
    expect(seen.attempts).toBe(1000);
  });

  test("another error is no reason to do it again", async () => {
    let attempts = 0;
    const act = async () => {
      attempts++;
      throw new AppError("record.missing", "there is no configuration");
    };
    await expect(atOneGeneration(act)).rejects.toMatchObject({ code: "record.missing" });
    expect(attempts).toBe(1);
  });
});
