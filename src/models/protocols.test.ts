import { describe, expect, test } from "vitest";
import { authHeadersOf, baseUrlOf, endpointOf, type Protocol } from "./protocols.ts";

describe("CO-15: where a request goes", () => {
  test.each<[Protocol, string, string]>([
    ["openai", "https://api.openai.com", "https://api.openai.com/v1"],
    ["openai", "https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
    [
      "openai",
      "https://generativelanguage.googleapis.com/v1beta/openai",
      "https://generativelanguage.googleapis.com/v1beta/openai",
    ],
    ["openai", "http://localhost:11434", "http://localhost:11434/v1"],
    ["anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1"],
    ["anthropic", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1"],
    ["anthropic", "https://proxy.example/anthropic", "https://proxy.example/anthropic/v1"],
    ["anthropic", "https://v1", "https://v1/v1"],
    ["google", "https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta"],
    ["google", "https://proxy.example/gemini/v1", "https://proxy.example/gemini/v1"],
    ["echo", "", "https://echo.invalid/v1"],
    ["scripted", "", "https://scripted.invalid/v1"],
  ])("CO-15: %s at %j has the base %s", (protocol, origin, base) => {
    expect(baseUrlOf({ protocol, origin })).toBe(base);
    expect(endpointOf({ protocol, origin }, "/v1/messages/count_tokens")).toBe(`${base}/messages/count_tokens`);
  });

  test.each([
    "/v1",
    "/v1/",
    "/v2/models",
    "/v1/../admin",
    "/v1/a/..",
    "/v1/./a",
    "/v1/%2e%2e/a",
    "/v1//a",
    "/v1/a?b",
    "/v1/a#b",
    "/v1/a\\b",
    "@evil.example/v1/a",
    "/v1/a\n",
  ])("T43: the path %j is refused", (path) => {
    const refused = expect.objectContaining({ code: "usage.invalid" });
    expect(() => endpointOf({ protocol: "openai", origin: "https://api.openai.com" }, path)).toThrow(refused);
  });
});

describe("CO-16: what shows a secret", () => {
  test("CO-16: each protocol has its own header, and without a secret there is none", () => {
    const version = { "anthropic-version": "2023-06-01" };
    expect(authHeadersOf("openai", "s")).toEqual({ authorization: "Bearer s" });
    expect(authHeadersOf("anthropic", "s")).toEqual({ ...version, "x-api-key": "s" });
    expect(authHeadersOf("anthropic", "s", { "anthropic-version": "2024-01-01" })).toEqual({ "x-api-key": "s" });
    expect(authHeadersOf("google", "s")).toEqual({ "x-goog-api-key": "s" });
    expect(authHeadersOf("echo", "s")).toEqual({});
    for (const protocol of ["openai", "google", "echo", "scripted"] as const)
      expect(authHeadersOf(protocol, null)).toEqual({});
    expect(authHeadersOf("anthropic", null)).toEqual(version);
  });
});
