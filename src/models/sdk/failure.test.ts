import { describe, expect, test, vi } from "vitest";
import { startService } from "../../../test/support/model-loopback.ts";
import { access, hello, open, secret, service, spoken } from "../../../test/support/sdk-services.ts";
import { AppError } from "../../core/error.ts";
import type { Transport } from "../../core/transport.ts";
import { sdkModel } from "./sdk.ts";

describe("CO-16: failures", () => {
  const refusalOf = async (asked: Promise<unknown>): Promise<AppError> => {
    const error = await asked.then(
      () => undefined,
      (why: unknown) => why,
    );
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  };
  const echoed = {
    error: { type: "x", status: "x", code: 1, message: `bad key ${secret} \u202e given` },
    type: "error",
  };

  test.each(
    spoken.flatMap((protocol) => [
      [protocol, 401, "upstream.refused"] as const,
      [protocol, 403, "upstream.refused"] as const,
      [protocol, 429, "upstream.invalid"] as const,
      [protocol, 500, "upstream.invalid"] as const,
    ]),
  )("CO-16: %s answers %i: %s, asked once, and the secret is in nothing of it", async (protocol, status, code) => {
    const { url, seen } = await service(protocol, echoed, status, { "retry-after": "7" });
    const error = await refusalOf((await sdkModel(access(protocol, url))).answer(hello));
    expect(error.code).toBe(code);
    expect(error.message).toContain(String(status));
    if (status === 429) expect(error.message).toMatch(/retry-after: 7.*bad key \(secret\) \\u\{202e\} given/);
    expect(error.message + String(error.stack) + JSON.stringify(error)).not.toContain(secret);
    expect(error.cause).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  test("CO-16: nor is it in what a service says of when to ask again", async () => {
    const { url } = await service("openai", echoed, 429, { "retry-after": secret });
    const error = await refusalOf((await sdkModel(access("openai", url))).answer(hello));
    expect(error.message).toContain("retry-after: (secret)");
    expect(error.message).not.toContain(secret);
  });

  test("CO-16: the prompt is not in a failure either", async () => {
    const { url } = await service("openai", "<html>busy</html>");
    const messages = [{ role: "user", content: "a very private question" }] as const;
    const error = await refusalOf((await sdkModel(access("openai", url))).answer({ messages, parameters: {} }));
    expect(error.code).toBe("upstream.invalid");
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: 20 })).not.toContain("private");
  });

  test.each(["egress.refused", "upstream.unreachable", "upstream.timeout", "upstream.invalid"] as const)(
    "CO-16: what the transport refuses as %s stays that",
    async (code) => {
      const refused = new AppError(code, "as the transport said it");
      const transport: Transport = { send: () => Promise.reject(refused) };
      for (const protocol of spoken) {
        const model = await sdkModel(access(protocol, "http://127.0.0.1:1", { transport }));
        expect(await refusalOf(model.answer(hello))).toBe(refused);
      }
    },
  );

  test("CO-16: a body that breaks off fails as the transport says", async () => {
    const { url } = await startService((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"choices":', () => response.destroy());
    }).then(open);
    const error = await refusalOf((await sdkModel(access("openai", url))).answer(hello));
    expect(error.code).toMatch(/^upstream\./);
  });

  test("CO-16: one who gives up gets their own reason, and the service sees the connection end", async () => {
    const giving = new AbortController();
    let isGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (isGone = resolve));
    const { url } = await startService((_, response) => {
      response.on("close", isGone);
      giving.abort(new Error("enough"));
    }).then(open);
    const model = await sdkModel(access("openai", url));
    await expect(model.answer({ ...hello, signal: giving.signal })).rejects.toThrow("enough");
    await gone;
    await expect(model.answer({ ...hello, signal: giving.signal })).rejects.toThrow("enough");
  });

  test("CO-16: a service that sends the secret back does not hand it to whoever asked", async () => {
    const content = `you sent ${secret}, and sk`;
    const { url } = await service("openai", { choices: [{ message: { content }, finish_reason: "stop" }] });
    expect((await (await sdkModel(access("openai", url))).answer(hello)).text).toBe("you sent (secret), and sk");
    const short = await sdkModel(access("openai", url, { secret: "sk" }));
    expect((await short.answer(hello)).text).toBe(content);
  });

  test("CO-14: what a protocol cannot be asked is said to the caller", async () => {
    const { url, seen } = await service("google");
    const messages = [
      { role: "user", content: "a" },
      { role: "system", content: "late" },
    ] as const;
    const model = await sdkModel(access("google", url));
    await expect(model.answer({ messages, parameters: {} })).rejects.toMatchObject({ code: "usage.invalid" });
    const image = [{ role: "assistant", content: [{ type: "image", url: "https://a.example/b" }] }] as const;
    await expect(model.answer({ messages: image, parameters: {} })).rejects.toMatchObject({ code: "usage.invalid" });
    expect(seen).toEqual([]);
  });

  test("CO-19: nothing is printed", async () => {
    const spies = [
      vi.spyOn(process.stdout, "write").mockReturnValue(true),
      ...(["log", "info", "warn", "error"] as const).map((name) => vi.spyOn(console, name).mockReturnValue(undefined)),
    ];
    const { url } = await service("anthropic");
    // A model it does not know and a temperature that is too high: both are worth a warning to the SDK.
    await (await sdkModel(access("anthropic", url))).answer({ ...hello, parameters: { temperature: 9, seed: 1 } });
    const printed = spies.flatMap(({ mock }) => mock.calls);
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
  });
});
