import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../core/error.ts";
import { foldKey } from "../core/json/reader.ts";
import { injectRequest, type Insertion, type RequestShape, userText } from "./inject.ts";
import { readRequest, spliceRequest } from "./splice.ts";

const shapes = ["openai-chat", "openai-responses", "openai-completions", "anthropic-messages"] as const;

/** Writes a value in one of the many ways in which JSON can be written; `choices` decide which. */
function write(value: unknown, choices: readonly number[]): string {
  let used = 0;
  const choose = (most: number) => (choices[used++ % choices.length] ?? 0) % most;
  const blank = () => ["", "", " ", "\n", "\t", "\r\n  "][choose(6)] ?? "";
  const spaced = (text: string) => blank() + text + blank();

  function unit(char: string): string {
    const plain = JSON.stringify(char).slice(1, -1);
    const hex = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, "0"));
    if (choose(5) === 0) return hex.map((digits) => `\\u${choose(2) === 0 ? digits : digits.toUpperCase()}`).join("");
    return char === "/" && choose(2) === 0 ? "\\/" : plain;
  }
  const string = (text: string) => `"${Array.from(text, unit).join("")}"`;

  function any(node: unknown): string {
    if (typeof node === "string") return spaced(string(node));
    if (Array.isArray(node)) return spaced(`[${node.length === 0 ? blank() : node.map(any).join(",")}]`);
    if (typeof node !== "object" || node === null) return spaced(JSON.stringify(node) ?? "null");
    const members = Object.entries(node).map(([key, member]) => spaced(string(key)) + `:${any(member)}`);
    const turn = members.length === 0 ? 0 : choose(members.length);
    return spaced(
      `{${members.length === 0 ? blank() : [...members.slice(turn), ...members.slice(0, turn)].join(",")}}`,
    );
  }
  return any(value);
}

const ours = new Set(
  ["model", "stream", "messages", "input", "prompt", "instructions", "system", "previous_response_id"]
    .concat(["conversation", "role", "content", "type", "id", "text"])
    .map(foldKey),
);
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constant("\ud800/\\"),
);
const oddKey = fc.constantFrom("__proto__", "constructor", "toString", "", "name", "cache_control", "model2");
const key = fc.oneof(fc.string({ maxLength: 6 }), oddKey).filter((name) => !ours.has(foldKey(name)));
const others = fc.array(fc.tuple(key, fc.jsonValue({ maxDepth: 2 })), { maxLength: 3 }).map(fromEntries);

/** `__proto__` has to become a member: an assignment would not do that. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

function merge(a: object, b: object): object {
  return { ...a, ...b };
}

/** Members that may be missing, and others that nobody knows. */
function objectOf(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const some = fc.record(members, { requiredKeys: [], noNullPrototype: true });
  return fc.tuple(others, some).map(([unknown, known]) => merge(unknown, known));
}

const part = fc.oneof(
  objectOf({ type: fc.constantFrom("text", "tool_result", "input_text", "image_url"), text, content: text }),
  fc.constant({ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "42" }] }),
  fc.jsonValue({ maxDepth: 1 }).filter((value) => !hasOurs(value)),
);
const content = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.array(part, { maxLength: 4 }),
  fc.constantFrom(null, 7, {}),
);
const role = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("user", "user", "assistant", "system", "developer", "tool") },
  fc.constantFrom("User", "", null, 1),
);
const toolCalls = fc.constant([{ id: "c", type: "function", function: { name: "f", arguments: '{"role":"user"}' } }]);
const message = fc.oneof(
  { weight: 6, arbitrary: objectOf({ role, content, tool_calls: toolCalls }) },
  { weight: 3, arbitrary: fc.record({ role, content }, { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.constantFrom(null, "user", [], ["user"], 1) },
);
const item = objectOf({ role, content, type: fc.constantFrom("message", "function_call_output", null, 1) });
const turns = fc.array(message, { maxLength: 5 });
const model = fc.oneof(text, fc.constant("gpt"));
const stream = fc.constantFrom(true, false, null, "true");

const requestOf: Readonly<Record<RequestShape, fc.Arbitrary<object>>> = {
  "openai-chat": objectOf({ model, stream, messages: fc.oneof({ weight: 9, arbitrary: turns }, text) }),
  "anthropic-messages": objectOf({
    model,
    stream,
    messages: turns,
    system: fc.oneof(text, fc.array(part, { maxLength: 2 }), fc.constantFrom(null, 7, "")),
  }),
  "openai-responses": objectOf({
    model,
    input: fc.oneof(text, fc.array(fc.oneof(message, item), { maxLength: 5 }), fc.constantFrom(null, 7)),
    instructions: fc.oneof(text, fc.constantFrom(null, 7, [], "")),
    previous_response_id: fc.oneof(text, fc.constant(null)),
    conversation: fc.oneof(text, objectOf({ id: text }), fc.constant(null)),
  }),
  "openai-completions": objectOf({
    model,
    prompt: fc.oneof(text, fc.array(text), fc.array(fc.oneof(text, fc.nat()), { maxLength: 3 }), fc.constant(null)),
  }),
};

function hasOurs(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).some((name) => ours.has(foldKey(name)));
}

const choices = fc.array(fc.nat(59), { minLength: 1, maxLength: 24 });
const written = fc.constantFrom(...shapes).chain((shape) =>
  fc.tuple(requestOf[shape], choices, fc.constantFrom("", "", "\ufeff")).map(([request, how, mark]) => {
    const json = write(request, how);
    return { shape, json, body: Buffer.from(mark + json) };
  }),
);
const blockText = fc.oneof(text, fc.constantFrom("", '# Skills\n"a" \\ \u2028 \u0000', "B"));
const insertion: fc.Arbitrary<Insertion> = fc.record(
  { block: blockText, systemBlock: blockText, lastBlock: blockText },
  { requiredKeys: ["block", "systemBlock"] },
);

/** How many bytes of `before` lie around the one place where `after` has something else. */
function keptAround(before: Uint8Array, after: Uint8Array): number {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return head + tail;
}

const runs = { numRuns: 500 };

describe("CO-8, CO-15: bytes and values", () => {
  test("CO-8: splicing is parsing, injecting and writing, up to formatting, with the same findings", () => {
    fc.assert(
      fc.property(written, insertion, fc.option(model, { nil: undefined }), ({ shape, json, body }, given, name) => {
        const parsed: object = JSON.parse(json);
        const hasModel = typeof Reflect.get(parsed, "model") === "string" || !Object.hasOwn(parsed, "model");
        const asked = name === undefined || !hasModel ? {} : { model: name };
        const byBytes = spliceRequest(readRequest(shape, body, "last"), body, { ...asked, insertion: given });
        const byValue = injectRequest(shape, { ...parsed, ...asked }, given);
        const after: unknown = JSON.parse(
          Buffer.from(byBytes.body)
            .toString()
            .replace(/^\ufeff/, ""),
        );
        expect(isDeepStrictEqual(after, byValue.request)).toBe(true);
        expect(byBytes.findings).toEqual(byValue.findings);
        expect(isDeepStrictEqual(JSON.parse(json), parsed)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test("CO-13: what the first and the last user message say is the same for bytes and for values", () => {
    fc.assert(
      fc.property(written, ({ shape, json, body }) => {
        const view = readRequest(shape, body, "last");
        for (const which of ["first", "last"] as const)
          expect(view.said?.[which].read(body) ?? "").toBe(userText(shape, JSON.parse(json), which));
        expect(readRequest(shape, body).said?.first.read(body)).toBe(view.said?.first.read(body));
      }),
      { numRuns: 1500 },
    );
  });

  test("CO-13: also of long messages, of many parts, and where a member of a part is there twice", () => {
    const unit = fc.constantFrom("a", "ü", "漢", "😀", "\ud800", "\\", '"', "\n", "\u0000");
    const long = fc
      .tuple(fc.array(unit, { minLength: 1, maxLength: 5 }), choices, fc.constantFrom(0, 1, 900, 20_000, 70_000))
      .map(([units, how, times]) => `"${write(units.join(""), how).trim().slice(1, -1).repeat(times)}"`);
    const member = fc.tuple(
      fc.constantFrom("type", "text", "Text", "x"),
      fc.oneof(long, fc.constantFrom('"text"', "7")),
    );
    const extras = fc.array(
      member.map(([name, value]) => `"${name}": ${value}`),
      { maxLength: 2 },
    );
    const textPart = fc
      .tuple(long, extras)
      .map(([own, more]) => `{${['"type":"text"', `"text" :${own}`, ...more].join()}}`);
    const parts = fc.array(textPart, { maxLength: 6 }).map((each) => `[${each.join()}]`);
    fc.assert(
      fc.property(fc.oneof(long, parts), (said) => {
        const json = `{"messages":[{"role":"user","content":${said}}]}`;
        const body = Buffer.from(json);
        const wanted = userText("openai-chat", JSON.parse(json), "first");
        expect(readRequest("openai-chat", body).said?.first.read(body) === wanted).toBe(true);
        expect(wanted.length).toBeLessThanOrEqual(65_537);
      }),
      { numRuns: 100 },
    );
  });

  test("CO-15: what is put in is one run of bytes; without it, the body is as it came", () => {
    fc.assert(
      fc.property(written, text, ({ shape, json, body }, block) => {
        const { system = "", instructions = "" } = JSON.parse(json);
        const view = readRequest(shape, body);
        for (const given of [
          { block, systemBlock: "" },
          { block: "", systemBlock: block },
        ]) {
          const after = spliceRequest(view, body, { insertion: given }).body;
          if (shape === "openai-completions" && (view.places.user?.length ?? 0) > 1) continue;
          // Only a `null` in the place of the system prompt is ever replaced.
          const gone = given.systemBlock !== "" && [system, instructions].includes(null) ? "null".length : 0;
          expect(keptAround(body, after)).toBeGreaterThanOrEqual(body.length - gone);
        }
      }),
      runs,
    );
  });

  test("CO-15: of several prompts, each gets the same bytes in front, and no other byte changes", () => {
    const marked = requestOf["openai-completions"].map((request) => merge(request, { prompt: ["a", "b", ""] }));
    fc.assert(
      fc.property(marked, choices, (request, how) => {
        const body = Buffer.from(write(request, how));
        const given = { block: "<the block>", systemBlock: "" };
        const after = spliceRequest(readRequest("openai-completions", body), body, { insertion: given }).body;
        const spliced = Buffer.from(after).toString();
        expect(spliced.split("<the block>\\n\\n").length).toBe(4);
        expect(spliced.replaceAll("<the block>\\n\\n", "")).toBe(body.toString());
      }),
      { numRuns: 100 },
    );
  });

  test("T30: without a user turn no byte changes, and it is said", () => {
    const silent = fc.constantFrom("openai-chat" as const, "anthropic-messages" as const);
    const unsaid = message.filter(
      (one) => typeof one !== "object" || one === null || Reflect.get(one, "role") !== "user",
    );
    fc.assert(
      fc.property(silent, fc.array(unsaid, { maxLength: 4 }), text, choices, (shape, messages, system, how) => {
        const body = Buffer.from(write({ messages, system }, how));
        const result = spliceRequest(readRequest(shape, body), body, { insertion: { block: "B", systemBlock: "S" } });
        expect(result.body).toBe(body);
        expect(result.findings.map(({ code }) => code)).toEqual(["inject.no-user"]);
      }),
      runs,
    );
  });

  test("T30: the configured system prompt stays byte for byte, in front of what was meant for it", () => {
    const prompts = fc.tuple(
      text.filter((prompt) => prompt !== ""),
      choices,
    );
    fc.assert(
      fc.property(prompts, text, insertion, ([prompt, how], said, given) => {
        const system = write(prompt, how).trim();
        const chat = `{"messages":[{"role":"system","content":${system}},{"role":"user","content":${JSON.stringify(said)}}]}`;
        const messages = `{"system":${system},"messages":[{"role":"user","content":${JSON.stringify(said)}}]}`;
        const spliced = (shape: RequestShape, json: string) => {
          const body = Buffer.from(json);
          return Buffer.from(spliceRequest(readRequest(shape, body), body, { insertion: given }).body).toString();
        };
        expect(spliced("openai-chat", chat)).toContain(`{"messages":[{"role":"system","content":${system}},`);
        expect(spliced("anthropic-messages", messages)).toContain(`{"system":${system.slice(0, -1)}`);
      }),
      runs,
    );
  });
});

describe("CO-15: any bytes", () => {
  const hurt = fc
    .tuple(written, fc.nat(), fc.uint8Array({ maxLength: 3 }), fc.nat(3))
    .map(([{ body }, at, put, cut]) => {
      const from = at % (body.length + 1);
      return Buffer.concat([body.subarray(0, from), put, body.subarray(from + cut)]);
    });
  const bytes = fc.oneof(hurt, fc.uint8Array({ maxLength: 64 }));
  const upTo = fc.constantFrom("first" as const, "last" as const);

  test("T26: are read or refused, and what comes out is JSON when what came in was read", () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(...shapes, null), insertion, upTo, (body, shape, given, which) => {
        try {
          const view = readRequest(shape, body, which);
          const after = spliceRequest(view, body, { insertion: given }).body;
          for (const json of [body, after])
            JSON.parse(
              Buffer.from(json)
                .toString()
                .replace(/^\ufeff/, ""),
            );
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ code: "usage.invalid" });
        }
      }),
      { numRuns: 3000 },
    );
  });
});
