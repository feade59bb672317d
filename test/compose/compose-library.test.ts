import { describe, expect, test } from "vitest";
import { compose, inject, loadSkills, renderCatalogue } from "../../src/compose.ts";
import { laterRefusal } from "../support/refusal.ts";

const key = "a secret of these tests";
const examples = "examples/skills";

describe("CO-17: the composer in one's own program", () => {
  test("CO-7: from a folder to a block, with what is in it", async () => {
    const { skills, findings } = await loadSkills(examples, { names: ["recipe-scaling"], source: "mine" });
    const composition = compose(skills, { key });
    expect(findings).toEqual([]);
    expect(composition.included).toMatchObject([
      { entry: "mine:recipe-scaling", trust: "untrusted", via: "configuration" },
    ]);
    expect(composition.bytes).toBe(Buffer.byteLength(composition.block));
    expect(compose(skills, { key: new TextEncoder().encode(key) })).toEqual(composition);
  });

  test("CO-3: a key that could be guessed is refused", async () => {
    const { skills } = await loadSkills(examples, { names: ["recipe-scaling"] });
    for (const guessable of ["", "short", new Uint8Array(15)])
      expect(await laterRefusal(() => compose(skills, { key: guessable }))).toMatch(
        /^usage\.invalid key: expected at least 16/,
      );
    // What a program without types might hand over.
    const missing = JSON.parse("{}") as { key: string };
    expect(await laterRefusal(() => compose(skills, missing))).toMatch(/^usage\.invalid key/);
  });

  test("SK-13: a source that is no id is refused", async () => {
    expect(await laterRefusal(() => loadSkills(examples, { source: "My Skills" }))).toMatch(/^usage\.invalid source/);
    expect(await laterRefusal(() => loadSkills("examples/nowhere"))).toMatch(/^path\.missing/);
  });

  test("CO-8: into a prompt, a chat and a request", async () => {
    const { skills } = await loadSkills(examples, { names: ["recipe-scaling"] });
    const composition = compose(skills, { key });
    const { block } = composition;
    expect(inject("Hello.", composition)).toBe(`${block}\n\nHello.`);

    const chat = [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hello." },
      { role: "user", content: "Again." },
    ];
    const { messages, findings } = inject(chat, composition);
    expect(messages).toEqual([chat[0], { role: "user", content: `${block}\n\nHello.` }, chat[2]]);
    expect(findings).toEqual([]);

    const request = { model: "any", input: "Hello.", extra: { kept: true } };
    const injected = inject({ shape: "openai-responses", request }, composition);
    expect(injected.request).toEqual({ ...request, input: `${block}\n\nHello.` });
    expect(inject([{ role: "assistant", content: "Hi." }], composition).findings).toMatchObject([
      { code: "inject.no-user" },
    ]);
  });

  test("invariant 6: a prompt has no roles, and still nothing that was meant for the system is lost", async () => {
    const { skills } = await loadSkills(examples, { names: ["recipe-scaling"] });
    const composition = compose(skills, { key, trust: "first_party", placement: "system" });
    expect(composition.block).toBe("");
    expect(inject("Hello.", composition)).toBe(`${composition.systemBlock}\n\nHello.`);
    expect(inject("Hello.", { block: "", systemBlock: "" })).toBe("Hello.");
  });

  test("CO-11: the skills of a folder as a catalogue", async () => {
    const { skills } = await loadSkills(examples);
    const entries = skills.map(({ entry, name, description }) => ({
      entry,
      name,
      description,
      trust: "community" as const,
    }));
    const { system, block } = renderCatalogue(entries, { key: new Uint8Array(32), systemFloor: "verified" });
    for (const { name, description } of skills) {
      expect(system).toContain(name);
      expect(system).not.toContain(description);
    }
    expect(block).not.toBe("");
  });
});
