import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { renderError, type Shape, shapeOf } from "./problem.ts";

const missing = new AppError("record.missing", "there is no such thing");

describe("CO-16: a failure in the shape that is expected", () => {
  test("SV-2: as a problem", () => {
    const { status, headers, body } = renderError("problem", missing, "req_12345678");
    expect([status, headers]).toEqual([404, { "content-type": "application/problem+json" }]);
    expect(JSON.parse(body)).toEqual({
      type: "about:blank",
      title: "Not Found",
      status: 404,
      code: "record.missing",
      detail: "there is no such thing",
      request: "req_12345678",
    });
  });

  test("CO-16: as OpenAI says it, and as Anthropic does", () => {
    expect(JSON.parse(renderError("openai", missing, "r").body)).toEqual({
      error: { message: "there is no such thing", type: "not_found_error", param: null, code: "record.missing" },
    });
    const anthropic = renderError("anthropic", missing, "r");
    expect(JSON.parse(anthropic.body)).toEqual({
      type: "error",
      error: { type: "not_found_error", message: "there is no such thing" },
      request_id: "r",
    });
    expect(anthropic.headers).toEqual({ "content-type": "application/json", "request-id": "r" });
  });

  test.each<[string, Shape]>([
    ["/api/chat", "problem"],
    ["/", "problem"],
    ["/v1x", "problem"],
    ["/v1", "openai"],
    ["/v1/chat/completions?a=/messages", "openai"],
    ["/v1/messages", "anthropic"],
    ["/v1/messages/count_tokens?beta=true", "anthropic"],
    ["/v1/messagesx", "openai"],
    ["/c/mine/v1/messages", "anthropic"],
    ["/c/mine/v1/responses", "openai"],
    ["/c/mine", "openai"],
  ])("CO-16: under %s it is %s", (path, shape) => {
    expect(shapeOf(path, {})).toBe(shape);
  });

  test("CO-16: who says its version is Anthropic's client", () => {
    expect(shapeOf("/v1/models", { "anthropic-version": "2023-06-01" })).toBe("anthropic");
    expect(shapeOf("/api/chat", { "anthropic-version": "2023-06-01" })).toBe("problem");
  });
});
