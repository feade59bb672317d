import { describe, expect, it } from "vitest";
import { negatedTokens } from "./query.ts";

describe("RT-3: what a query is not about", () => {
  it("knows the words that a query is not about", () => {
    const tokens = negatedTokens("Deploy it with helm, not with terraform. No kubernetes, but helm.");
    expect([tokens.has("terraform"), tokens.has("kubernet"), tokens.has("helm"), tokens.has("deploi")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
