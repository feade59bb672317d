import OpenAI, { toFile } from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  anthropicAt,
  compositionOf,
  failureOf,
  inJson,
  latin1,
  openaiAt,
  post,
  without,
} from "../support/gateway-clients.ts";
import { type GatewayHome, gatewayHome, upstreamModel } from "../support/gateway-home.ts";

const messages = [{ role: "user" as const, content: "Is it raining?" }];

let home: GatewayHome;

function received(): Buffer {
  return Buffer.from(home.upstream.requests.at(-1)?.body ?? "");
}

describe("x-skillward-inject", () => {
  it("CO-15: off is for keys that may change a configuration; for others nothing leaves", async () => {
    home = await gatewayHome();
    const body = JSON.stringify({ model: upstreamModel, messages });
    const path = "/c/house/v1/chat/completions";
    for (const role of ["admin", "operator"]) {
      const authorization = `Bearer ${await home.newKey(role)}`;
      const response = await post(home, path, body, { authorization, "x-skillward-inject": "off" });
      expect([response.status, received().toString()]).toEqual([200, body]);
      expect(response.headers.get("x-skillward-injection")).toBeNull();
    }
    for (const role of ["reader", "reviewer"]) {
      const key = await home.newKey(role);
      const off = openaiAt(home, "", { key, headers: { "x-skillward-inject": "off" } });
      const error = await failureOf(off.chat.completions.create({ model: "house", messages }));
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
      expect(error).toMatchObject({ code: "auth.forbidden" });
      const claude = anthropicAt(home, "", { key, headers: { "x-skillward-inject": "off" } });
      const asked = { model: "claude", max_tokens: 9, messages };
      expect(await failureOf(claude.messages.create(asked))).toMatchObject({ status: 403 });
    }
    for (const value of ["OFF", "false", "on, off"])
      expect((await post(home, path, body, { "x-skillward-inject": value })).status).toBe(400);
    expect(home.upstream.requests).toHaveLength(2);
    await post(home, path, body, { "x-skillward-inject": "on" });
    const front = inJson(`${(await compositionOf(home, "house")).block}\n\n`);
    expect(without(received(), front)).toBe(latin1(Buffer.from(body)));
  });
});

function statusOf(error: unknown): unknown {
  return error instanceof OpenAI.APIError ? error.status : error;
}

describe("models that are not on the list, and other protocols", () => {
  beforeEach(async () => {
    home = await gatewayHome({ models: [upstreamModel, "small"] });
  });

  const asking = (model: string) => `{${model}"messages":[{"role":"user","content":"hi"}]}`;

  it("CO-15: 403, and nothing leaves", async () => {
    const client = openaiAt(home, "/c/house");
    const file = await toFile(Buffer.from("a"), "a.wav");
    const models = ["large", "Small", "small ", "*", "", "small/../large", "small\u200b"];
    const asks = [
      (model: string) => client.chat.completions.create({ model, messages }),
      (model: string) => client.embeddings.create({ model, input: "a" }),
      (model: string) => client.audio.transcriptions.create({ model, file }),
    ];
    const failures = await Promise.all(models.flatMap((model) => asks.map((ask) => failureOf(ask(model)))));
    expect(failures.map(statusOf)).toEqual(Array(models.length * asks.length).fill(403));
    const plain = openaiAt(home);
    for (const model of ["house/large", "house/", "house//small"])
      expect(await failureOf(plain.chat.completions.create({ model, messages }))).toMatchObject({ status: 403 });
    expect(home.upstream.requests).toEqual([]);
    expect((await client.chat.completions.create({ model: "small", messages })).choices).toHaveLength(1);
  });

  it("CO-15: a model that another reader could see instead is refused, and nothing leaves", async () => {
    const bodies: Readonly<Record<string, number>> = {
      [asking('"model":"small","model":"large",')]: 400,
      [asking('"model":"large","model":"small",')]: 400,
      [asking('"model":"small","mod\\u0065l":"large",')]: 400,
      [asking('"mod\\u0065l":"large",')]: 403,
      [asking('"model":"small","Model":"large",')]: 400,
      [asking('"model":["small"],')]: 400,
      [asking('"model":null,')]: 400,
      [asking('"model":{"model":"small"},')]: 400,
      [asking("")]: 400,
      [asking('"model":"small",') + asking('"model":"large",')]: 400,
      [`[${asking('"model":"small",')}]`]: 400,
    };
    const path = "/c/house/v1/chat/completions";
    const statuses = await Promise.all(
      Object.keys(bodies).map(async (body) => [body, (await post(home, path, body)).status] as const),
    );
    expect(Object.fromEntries(statuses)).toEqual(bodies);

    const hidden = asking('"model":"small","x":"+ACIALAAiAG0AbwBkAGUAbAAiADoAIg-large",');
    const charsets = ["charset=utf-7", 'charset="UTF-16"', "charset=utf-8; charset=utf-7", "charset*=utf-7''utf-8"];
    const typed = (charset: string) => post(home, path, hidden, { "content-type": `application/json; ${charset}` });
    const answers = await Promise.all(charsets.map(typed));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(home.upstream.requests).toEqual([]);
    expect((await typed('charset="UTF-8"')).status).toBe(200);
  });

  it("CO-15: the same in forms", async () => {
    const part = (head: string, value: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
    const audio = part('name="file"; filename="a.wav"', "a");
    const small = part('name="model"', "small");
    const forms: Readonly<Record<string, number>> = {
      [part('name="model"', "large")]: 403,
      [small + part('name="model"', "large")]: 400,
      [small + part('name="Model"', "large")]: 400,
      [small + part('name=model; filename="m"', "large")]: 400,
      [small + part("name=\"m\"; name*=utf-8''model", "large")]: 400,
      [part('name="model"; filename="m"', "small")]: 400,
      [part('name="mod%65l"', "small")]: 400,
      [part('name="model"', "small\u0000")]: 400,
      "": 400,
    };
    const upload = (form: string) =>
      post(home, "/c/house/v1/audio/transcriptions", `${form}${audio}--x--\r\n`, {
        "content-type": "multipart/form-data; boundary=x",
      });
    const statuses = await Promise.all(
      Object.keys(forms).map(async (form) => [form, (await upload(form)).status] as const),
    );
    expect(Object.fromEntries(statuses)).toEqual(forms);
    expect(home.upstream.requests).toEqual([]);
    expect((await upload(small)).status).toBe(200);
    expect(received().toString()).toBe(`${small}${audio}--x--\r\n`);
  });

  it("CO-15: nothing is translated: the other protocol is refused in the client's own, and nothing leaves", async () => {
    const openai = await failureOf(openaiAt(home).chat.completions.create({ model: "claude", messages }));
    expect(openai).toMatchObject({ status: 400, code: "usage.invalid" });
    expect(openai).toMatchObject({ message: expect.stringMatching(/nothing is translated between protocols/) });
    for (const call of [
      () => openaiAt(home, "/c/claude").embeddings.create({ model: "small", input: "a" }),
      () => openaiAt(home, "/c/claude").responses.create({ model: "small", input: "a" }),
      () => anthropicAt(home, "/c/house").messages.countTokens({ model: "small", messages }),
      () => anthropicAt(home).messages.create({ model: "house", max_tokens: 9, messages, stream: true }),
    ])
      expect(await failureOf(Promise.resolve(call()))).toMatchObject({ status: 400 });
    expect(home.upstream.requests).toEqual([]);
    expect(await all(openaiAt(home, "/c/claude").models.list())).toHaveLength(2);
  });
});
