import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AppError } from "../../src/core/error.ts";
import { answeredWith, call, type Started, startTestServer } from "../support/http-serving.ts";

let server: Started;
beforeAll(async () => {
  server = await startTestServer({ bounds: { perMinute: 100_000 } });
});
afterAll(() => server.stop());

const ask = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  call(server, path, { json, key: server.serving.keys.operator, headers });

describe("CO-14: the operations", () => {
  test.each<[path: string, operation: string, json: object]>([
    ["/api/complete", "complete", { configuration: "mine", prompt: "hello", skills: ["own:a"] }],
    ["/api/chat", "chat", { configuration: "mine", messages: [{ role: "user", content: "hello" }] }],
    ["/api/translate", "translate", { configuration: "mine", text: "hello", to: "German" }],
    ["/api/tasks/sum/run", "task", { input: "hello" }],
  ])("CO-14: %s", async (path, operation, json) => {
    const answer = await ask(path, json, { "x-request-id": "client-id-1" });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(answeredWith(`${operation} for key:a-operator`));
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "x-skillward-injection": `inj_${"0".repeat(24)}`,
      "x-skillward-generation": "7",
      "x-skillward-included": "1",
      "x-skillward-dropped": "2",
      "x-request-id": "client-id-1",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const last = server.serving.asked.at(-1);
    expect(last?.asked).toMatchObject({ ...json, request: "client-id-1", signal: expect.any(AbortSignal) });
    const configuration = path.includes("tasks") ? "task:sum" : "mine";
    expect(server.requests().at(-1)).toMatchObject({ configuration, injection: `inj_${"0".repeat(24)}` });
  });

  test("CO-14: parts of messages, and vectors", async () => {
    const content = [
      { type: "text", text: "what is this?" },
      { type: "image", url: "data:image/png;base64,AA==" },
    ];
    const messages = [
      { role: "system", content: "be brief" },
      { role: "user", content },
    ];
    expect((await ask("/api/chat", { configuration: "mine", messages })).status).toBe(200);
    expect(server.serving.asked.at(-1)?.asked).toMatchObject({ messages });
    const embedded = await ask("/api/embed", { configuration: "mine", texts: ["a", "bcd"] });
    expect(embedded.json()).toEqual({
      vectors: [
        [1, 0.5],
        [3, 0.5],
      ],
      model: "small",
    });
    expect(embedded.headers).not.toHaveProperty("x-skillward-injection");
  });

  test("CO-16: what a request was given can be looked up", async () => {
    const { headers } = await ask("/api/complete", { configuration: "mine", prompt: "" });
    const key = server.serving.keys.reader;
    const record = await call(server, `/api/injections/${String(headers["x-skillward-injection"])}`, { key });
    expect([record.status, record.json()]).toEqual([200, expect.objectContaining({ by: "ann", bytes: 10 })]);
    expect((await call(server, "/api/injections/inj_other", { key })).json()).toMatchObject({ code: "record.missing" });
  });
});

describe("SV-2: what is asked wrongly", () => {
  const right = { configuration: "mine", prompt: "x" };

  test.each<[what: string, path: string, json: unknown, detail: string]>([
    ["an unknown field", "/api/complete", { ...right, promt: 1, z: 2 }, 'the body: does not know "promt", "z"'],
    ["a hidden one", "/api/complete", { ...right, "a\u202e": 1 }, 'the body: does not know "a\\u{202e}"'],
    [
      "a field of a part",
      "/api/chat",
      { configuration: "c", messages: [{ role: "user", content: "x", name: "y" }] },
      'messages.0: does not know "name"',
    ],
    [
      "a missing one",
      "/api/complete",
      { prompt: "x" },
      "configuration: Invalid input: expected string, received undefined",
    ],
    [
      "another kind",
      "/api/complete",
      { ...right, prompt: 1 },
      "prompt: Invalid input: expected string, received number",
    ],
    ["a list", "/api/complete", [], "the body: Invalid input: expected object, received array"],
    [
      "no messages",
      "/api/chat",
      { configuration: "c", messages: [] },
      "messages: Too small: expected array to have >=1 items",
    ],
    ["half a character", "/api/complete", { ...right, prompt: "\ud800" }, "prompt: must be valid Unicode"],
  ])("SV-2: %s", async (_what, path, json, detail) => {
    const before = server.serving.asked.length;
    const answer = await ask(path, json);
    expect([answer.status, answer.headers["content-type"]]).toEqual([400, "application/problem+json"]);
    expect(answer.json()).toMatchObject({ title: "Bad Request", status: 400, code: "usage.invalid", detail });
    expect(answer.json().request).toBe(answer.headers["x-request-id"]);
    expect(server.serving.asked.length).toBe(before);
  });

  test.each<[what: string, body: string | Buffer]>([
    ["nothing", ""],
    ["half of it", '{"configuration": "secret'],
    ["something else", "secret"],
    ["not UTF-8", Buffer.from('{"configuration":"mine","prompt":"\u00ff"}', "latin1")],
    ["deeply nested", "[".repeat(200_000)],
    ["deeply nested and complete", `{"configuration":"mine","prompt":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    ["a prototype", '{"configuration":"mine","prompt":"x","__proto__":{"polluted":1}}'],
    ["a constructor", '{"configuration":"mine","prompt":"x","constructor":{"prototype":{"polluted":1}}}'],
  ])("T21: %s is refused, and nothing of it is repeated", async (_what, body) => {
    const before = server.serving.asked.length;
    const headers = { "content-type": "application/json" };
    const answer = await call(server, "/api/complete", {
      method: "POST",
      body,
      key: server.serving.keys.reader,
      headers,
    });
    expect(answer.json()).toMatchObject({ status: 400, code: "usage.invalid" });
    expect(answer.text).not.toContain("secret");
    expect(answer.text.length).toBeLessThan(1000);
    expect(server.serving.asked.length).toBe(before);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", ""])(
    "T37: the type %j, which a form of another page could send, is refused",
    async (type) => {
      const answer = await ask("/api/complete", right, { "content-type": type });
      expect(answer.json()).toMatchObject({ status: 400, detail: "content-type: expected application/json" });
    },
  );

  test("SV-2: a flood of wrong fields is not all repeated", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 5000 }, (_, each) => [`field-${each}`, 1]));
    const answer = await ask("/api/complete", { ...right, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(500);
  });
});

describe("T2: what a path names", () => {
  test.each(["%00", "..%2f..%2fetc", "a%20b", "%e2%80%ae", "a".repeat(129)])("T2: %s is nothing", async (id) => {
    const before = server.serving.asked.length;
    const run = await ask(`/api/tasks/${id}/run`, { input: "x" });
    const found = await call(server, `/api/injections/${id}`, { key: server.serving.keys.reader });
    expect([run.status, found.status, server.serving.asked.length]).toEqual([404, 404, before]);
  });
});

describe("SV-8: what goes wrong inside", () => {
  test("SV-8: is said in fixed words, and the log has the place but not the text", async () => {
    const { serving } = server;
    const usual = serving.answer;
    serving.answer = () => Promise.reject(new Error("the prompt was: my secret"));
    const answer = await ask("/api/complete", { configuration: "mine", prompt: "my secret" });
    serving.answer = async () => Promise.reject({ thrown: "my secret" });
    const odd = await ask("/api/complete", { configuration: "mine", prompt: "my secret" });
    serving.answer = () => Promise.reject(new AppError("store.failed", "cannot open /home/ann/store.db"));
    const store = await ask("/api/complete", { configuration: "mine", prompt: "my secret" });
    serving.answer = usual;
    for (const { status, json } of [answer, odd]) expect([status, json().code]).toEqual([500, "internal"]);
    expect([store.status, store.headers["retry-after"]]).toEqual([503, "1"]);
    for (const { text } of [answer, odd, store]) expect(text).not.toMatch(/secret|home|http-api/);
    expect(server.log()).not.toContain("secret");
    expect(server.log()).toContain("/home/ann/store.db");
    const failures = server
      .log()
      .split("\n")
      .filter((line) => line.includes('"msg":"failure"'));
    expect(failures.map((line) => JSON.parse(line).request)).toEqual(
      [answer, odd, store].map(({ json }) => json().request),
    );
  });

  test("SV-8: one line for each request, without headers, query or prompt", async () => {
    const key = server.serving.keys.reader;
    await call(server, "/api/injections/inj_x?token=q-secret", { key, headers: { "user-agent": "h-secret" } });
    await ask("/api/complete", { configuration: "mine", prompt: "p-secret" });
    expect(server.log()).not.toMatch(/[qhp]-secret/);
    expect(server.log()).not.toContain(key);
    const [looked, asked] = server.requests().slice(-2);
    expect(looked).toMatchObject({
      method: "GET",
      route: "GET /api/injections/:id",
      status: 400,
      principal: "key:a-reader",
    });
    expect(asked).toMatchObject({ status: 200, in: 44, out: expect.any(Number), ms: 0 });
  });

  test("SV-8: metrics know the routes by their patterns", async () => {
    const { text, headers } = await call(server, "/metrics", { key: server.serving.keys.reader });
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).toMatch(/^skillward_http_requests_total\{route="GET \/api\/injections\/:id",status="404"\} \d+$/m);
    expect(text).toMatch(/^skillward_generation 7$/m);
    expect(text).not.toContain("inj_");
  });
});

describe("SV-2: the description", () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  let document: any;
  beforeAll(async () => {
    document = (await call(server, "/api/openapi.json", { key: server.serving.keys.reader })).json();
  });

  test("SV-2: its schemas take what the server takes, and refuse what it refuses", async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: "api", components: document.components });
    const pointed = JSON.parse(JSON.stringify(document.paths).replaceAll('"#/', '"api#/'));
    const schemaOf = (path: string) => pointed[path].post.requestBody.content["application/json"].schema;
    const asked: [string, object][] = [
      ["/api/complete", { configuration: "mine", prompt: "x" }],
      ["/api/complete", { configuration: "mine", prompt: "x", more: 1 }],
      ["/api/complete", { configuration: "", prompt: "x" }],
      ["/api/chat", { configuration: "mine", messages: [{ role: "user", content: [{ type: "text", text: "x" }] }] }],
      ["/api/chat", { configuration: "mine", messages: [{ role: "tool", content: "x" }] }],
      ["/api/chat", { configuration: "mine", messages: [{ role: "user", content: [{ type: "audio" }] }] }],
      ["/api/translate", { configuration: "mine", text: "x", to: "German" }],
      ["/api/embed", { configuration: "mine", texts: [] }],
      ["/api/embed", { configuration: "mine", texts: ["x"] }],
    ];
    for (const [path, json] of asked) {
      const { status, json: answer } = await ask(path, json);
      expect([json, ajv.validate(schemaOf(path), json)]).toEqual([json, status === 200]);
      if (status !== 200) expect(ajv.validate({ $ref: "api#/components/schemas/Problem" }, answer())).toBe(true);
    }
    const answer = answeredWith("x");
    expect(ajv.validate({ $ref: "api#/components/schemas/Answered" }, answer)).toBe(true);
  });
});
