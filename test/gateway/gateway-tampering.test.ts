import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evilText, type GatewayAttack, onBytes, onRows, onTargets, onWords } from "../support/gateway-attacks.ts";
import { upstreamSecret } from "../support/gateway-home.ts";
import { approved, type Gateway, inUse, type Passed, saidOf, TamperedStore } from "../support/gateway-tampered.ts";
import type { StoreHome } from "../support/tampering.ts";
import { editJson, insert } from "../support/tampering-hand.ts";

const attacks: Readonly<Record<string, readonly GatewayAttack[]>> = {
  "T17, CO-2: bytes, checksums and lists": onBytes,
  "T17, CO-2: rows": onRows,
  "T18: signed words": onWords,
  "RV-14: what a request is sent with": onTargets,
};

/** Where what an engine does with bytes, nothing and order could matter. */
const onBothEngines =
  /^one letter|empty$|body that is removed|^the body and its|bytes of two|description in|what two entries|`digest`|decisions on two|written over|nobody approved/;

const nothing: GatewayAttack = { what: "nothing", act: async () => {}, gone: [] };

describe.each(["SQLite", "PostgreSQL"] as const)("a hand in the database behind a running gateway, on %s", (engine) => {
  let store: TamperedStore;
  let running: Gateway;

  beforeAll(async () => {
    store = await TamperedStore.create(engine);
    running = await store.serve();
  });

  afterAll(async () => {
    await running.close();
    await store.remove();
  });

  /** Nothing but approved bytes arrives, all that are untouched do, and what is missing is said with its reason. */
  function expectWithout(passed: Passed, { gone = ["drawing"], trust }: GatewayAttack, message: string): void {
    const left = inUse.filter((name) => !gone.includes(name));
    expect(passed.received).toBe(running.expected(left, trust));
    expect(passed.status).toBe(200);
    expect(`${passed.received} ${passed.text}`).not.toContain(evilText);
    const { included = [], dropped = [], findings = [] } = passed.record ?? {};
    expect(included.map(({ entry }) => entry)).toEqual(left.map((name) => `skills:${name}`));
    const why = /^compose\.([a-z-]+)/.exec(message)?.[1];
    const missing = gone.map((name) => `skills:${name} ${why}`);
    const reasons = dropped.map((each) => `${each.entry} ${each.why}`);
    expect(reasons.toSorted()).toEqual([...missing, "skills:retired unusable"].toSorted());
    for (const name of gone) expect(saidOf(findings, name)).toContain(message);
    expect(saidOf(findings, "retired")).toContain("compose.unusable");
  }

  /** With the row as it was before afterwards, whatever happens. */
  async function within(act: (home: StoreHome) => Promise<unknown>, look: () => Promise<void>): Promise<void> {
    expectWithout(await running.ask(), nothing, "");
    try {
      await act(store.home);
      await look();
    } finally {
      await store.restore();
    }
  }

  /** As one sees it who starts Skillward then, and what the registry itself says. */
  async function askAnew(): Promise<{ passed: Passed; codes: readonly string[] }> {
    const started = await store.serve();
    try {
      const { snapshot } = await started.app.registry.look();
      return { passed: await started.ask(), codes: snapshot.findings.map(({ code }) => code) };
    } finally {
      await started.close();
    }
  }

  describe.each(Object.entries(attacks))("%s", (_, some) => {
    const tried = some.filter(({ what }) => engine === "SQLite" || onBothEngines.test(what));

    test.each(tried.map((attack) => [attack.what, attack] as const))("%s", async (_what, attack) => {
      const { live = null, later = live ?? "", registry } = attack;
      await within(attack.act, async () => {
        const now = await running.ask();
        if (live === null) expectWithout(now, nothing, "");
        else expectWithout(now, attack, live);
        await store.raiseGeneration();
        expectWithout(await running.ask(), attack, live ?? later);
        const { passed, codes } = await askAnew();
        expectWithout(passed, attack, later);
        if (registry !== undefined) expect(codes).toContain(registry);
      });
      expect((await running.ask()).record?.included).toHaveLength(3);
    });
  });

  /** What these rows say nobody signed (docs/registry.md): whatever they say, only approved bytes are injected. */
  describe("T17: rows without a seal", () => {
    const setHouse = (change: object) => (home: StoreHome) =>
      editJson(home, "llm_records", "record", "house", { ...change });

    test("a skill attached that is approved is injected as it was approved", () =>
      within(
        (home) => insert(home, "attachments", { target: "config:house", position: 9, entry: "skills:spare" }),
        async () => {
          const { passed } = await askAnew();
          expect(passed.received).toBe(running.expected([...inUse, "spare"]));
        },
      ));

    test("a skill taken from a configuration is not injected, and the others are", () =>
      within(
        (home) => home.sql("DELETE FROM attachments WHERE entry = 'skills:drawing'"),
        async () => expect((await askAnew()).passed.received).toBe(running.expected(["writing", "counting"])),
      ));

    test("floors lowered: what the system message then holds is approved to the byte, and no word of the client changes", () =>
      within(setHouse({ placement: "system", systemFloor: "untrusted", trustFloor: "untrusted" }), async () => {
        const { passed } = await askAnew();
        const { systemBlock } = approved(running.app, inUse, { placement: "system", systemFloor: "untrusted" });
        const [first, second, third] = JSON.parse(passed.received ?? "").messages;
        expect([first.content, third.content]).toEqual(["Be brief.", "Which one?"]);
        expect(second).toEqual({ role: "system", content: systemBlock });
      }));

    test("a record that cannot be read: nothing is sent", () =>
      within(
        (home) => home.sql("UPDATE llm_records SET record = '{' WHERE id = 'house'"),
        async () => {
          const { passed } = await askAnew();
          expect(passed).toMatchObject({ status: 503, received: undefined });
        },
      ));
  });

  describe("T40, T43: the way to the model service", () => {
    const redirect = (home: StoreHome) =>
      editJson(home, "llm_records", "record", "openai", { origin: store.stranger.url });

    test("sent to another origin: neither a request nor the secret gets there, also with the next generation", () =>
      within(redirect, async () => {
        expectWithout(await running.ask(), nothing, "");
        await store.raiseGeneration();
        for (const passed of [await running.ask(), (await askAnew()).passed]) {
          expect(passed).toMatchObject({ status: 500, received: undefined });
          expect(passed.text).not.toContain(upstreamSecret);
        }
        expect(store.stranger.requests).toHaveLength(0);
      }));

    test("sent to another origin and the secret taken away: no prompt gets there either", () =>
      within(
        async (home) => {
          await redirect(home);
          await home.sql("UPDATE llm_records SET secret = NULL WHERE id = 'openai'");
        },
        async () => {
          expect((await askAnew()).passed).toMatchObject({ status: 500, received: undefined });
          expect(store.stranger.requests).toHaveLength(0);
        },
      ));
  });
});
