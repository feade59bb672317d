import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startUpstream } from "../../src/testing/upstream/upstream.ts";
import type { Upstream, UpstreamScript } from "../../src/testing/upstream/script.ts";
import { addProvider } from "../../src/models/providers.ts";
import { DoctorRoom, impatient } from "./doctor-room.ts";
import { closedOrigin } from "../support/closed-port.ts";
import { serve } from "../support/loopback.ts";
import { permitLlm } from "../../src/models/context.ts";

const secret = "sk-only-for-its-own-origin-0123456789";

let room: DoctorRoom;
let upstream: Upstream;
let start = 0;

beforeAll(async () => {
  [room, upstream] = await Promise.all([DoctorRoom.open(), startUpstream()]);
  mayReach(upstream.url);
  await add(room, "main", upstream.url);
});
afterAll(async () => {
  await room.home.remove();
  await upstream.close();
});

beforeEach(() => {
  start = upstream.requests.length;
  upstream.always({});
  mayReach(upstream.url);
});

function mayReach(...origins: readonly string[]): void {
  room.configure("network:\n  private:\n", origins);
}

async function add({ home }: DoctorRoom, id: string, origin: string, kept: string | null = secret): Promise<void> {
  const app = await home.open();
  await addProvider(permitLlm(app, "administer"), id, { protocol: "openai", origin, models: ["*"] }, kept);
  await home.close();
}

/** One more, with a provider of its own. */
async function another(origin: string, kept: string | null = secret): Promise<DoctorRoom> {
  const other = await DoctorRoom.open();
  onTestFinished(() => other.home.remove());
  other.configure("network:\n  private:\n", [origin]);
  await add(other, "main", origin, kept);
  return other;
}

const asked = () => upstream.requests.slice(start);

describe("SV-10: a model service", () => {
  test("RV-13: is asked for its models, once, with the secret that is bound to it", async () => {
    expect(await room.said()).toEqual([`ok provider: main: ${new URL(upstream.url).host} answers`]);
    const [first, ...more] = asked();
    expect([first?.method, first?.path, first?.header("authorization"), more]).toEqual([
      "GET",
      "/v1/models",
      `Bearer ${secret}`,
      [],
    ]);
  });

  test("SV-10: that does not accept the secret, or wants one, answers all the same; what to do is said", async () => {
    const strict = await startUpstream({ secret: "another" });
    onTestFinished(() => strict.close());
    const [refused] = await (await another(strict.url)).elsewhere();
    expect([refused?.state, refused?.todo]).toEqual(["warn", "skillward provider secret main"]);
    expect(refused?.says).toMatch(/answers; the secret is not accepted$/);
    const [wanted] = await (await another(strict.url, null)).elsewhere();
    expect([wanted?.state, wanted?.todo]).toEqual(["warn", "skillward provider secret main"]);
    expect(wanted?.says).toMatch(/answers, and wants a secret$/);
  });

  const answers: readonly (readonly [string, UpstreamScript, RegExp])[] = [
    ["500", { status: 500, echoSecret: true }, /^warn provider: main: \S+ answers 500$/],
    ["503", { status: 503 }, /^warn provider: main: \S+ answers 503$/],
    ["429", { status: 429 }, /^warn .* allows no more requests for now$/],
    ["404", { status: 404 }, /^ok provider: main: \S+ answers \(404 to `GET \/models`\)$/],
    ["403", { status: 403, echoSecret: true }, /^ok provider: main: \S+ answers \(403/],
    ["a closed connection", { resetAfter: 0 }, /^warn provider: main: \S+ cannot be reached/],
    ["a body that never ends", { hang: "mid-body" }, /^ok provider: main: \S+ answers$/],
  ];
  test.each(answers)(
    "SV-10: that answers %s: said by what it means, after one request",
    async (_name, script, says) => {
      upstream.always(script);
      const lines = await room.said();
      expect(lines).toEqual([expect.stringMatching(says)]);
      expect(lines.join()).not.toContain(secret);
      expect(asked()).toHaveLength(1);
    },
  );

  test("T43: that points elsewhere is not followed, and the secret is neither heard nor shown", async () => {
    const elsewhere = await serve(null);
    mayReach(upstream.url, elsewhere.origin);
    upstream.next({ redirect: `${elsewhere.origin}/v1/models` });
    upstream.next({ redirect: `https://${secret}.example.org/v1/models` });
    expect(await room.said()).toEqual([expect.stringMatching(/^warn provider: main: .*redirects are not followed/)]);
    expect(await room.said()).toEqual(["warn provider: main: the model service answered with its own secret"]);
    expect([asked().length, elsewhere.bytes(), elsewhere.connections.length]).toEqual([2, 0, 0]);
  });

  test("SV-10: that does not answer is given up, and the others are not kept waiting by it", async () => {
    const silent = await serve(null);
    const two = await another(upstream.url);
    two.configure("network:\n  private:\n", [upstream.url, silent.origin]);
    await add(two, "silent", silent.origin);
    expect(await two.said({ timer: impatient(() => silent.bytes() > 0 && asked().length === 1) })).toEqual([
      expect.stringMatching(/^ok provider: main: /),
      expect.stringMatching(/^warn provider: silent: .* did not answer within 3 seconds$/),
    ]);
  });

  test("SV-10: where nobody listens is said", async () => {
    const other = await another(closedOrigin);
    expect(await other.said()).toEqual([expect.stringMatching(/^warn provider: main: .* nobody listens there$/)]);
  });

  test("IN-4: that the configuration does not let be reached is to mend, and hears nothing", async () => {
    const server = await serve(null);
    const other = await another(server.origin);
    other.configure("");
    expect(await other.said()).toEqual([
      expect.stringMatching(/^fail provider: main: the request was not sent: plain http is for loopback addresses in/),
    ]);
    expect([server.connections.length, server.bytes()]).toEqual([0, 0]);
  });

  test("T43: whose row was changed by hand is not asked, and its secret goes nowhere", async () => {
    const server = await serve(null);
    const other = await another(upstream.url);
    other.configure("network:\n  private:\n", [upstream.url, server.origin]);
    await other.home.sql(`UPDATE llm_records SET record = replace(record, '${upstream.url}', '${server.origin}')`);
    expect(await other.said()).toEqual(['fail provider: the row of provider "main" was changed by hand']);
    expect([asked(), server.connections.length]).toEqual([[], 0]);
  });

  test("T41: no more than a number of them are asked, which is said", async () => {
    const other = await another(upstream.url);
    const app = await other.home.open();
    for (let count = 0; count < 65; count++)
      await addProvider(permitLlm(app, "administer"), `p-${count}`, {
        protocol: "openai",
        origin: upstream.url,
        models: ["*"],
      });
    await other.home.close();
    expect((await other.said()).at(-1)).toBe("ok network: 2 more were not asked: it looks at 64");
    expect(asked()).toHaveLength(64);
  });
});

describe("SV-10: nobody is asked", () => {
  test("SV-10: when it was wished so, and that is said", async () => {
    expect(await room.said({ offline: true })).toEqual(["ok network: nobody elsewhere was asked, as it was wished"]);
    expect(asked()).toEqual([]);
  });

  test("CO-18: where providers answer from within", async () => {
    const other = await DoctorRoom.open();
    onTestFinished(() => other.home.remove());
    const app = await other.home.open();
    await addProvider(permitLlm(app, "administer"), "echo", { protocol: "echo", models: ["*"] });
    await other.home.close();
    expect(await other.said()).toEqual([]);
  });
});
