import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Source } from "../../sources/schema.ts";
import { parseSource } from "../../sources/source.ts";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { createKeyFile, loadKeys } from "../keys.ts";
import { sealSource } from "../source-seal.ts";
import { dropToken, keepToken, openToken } from "./remote.ts";

const random = seededRandomness();
const keys = loadKeys(createKeyFile(random));
const token = "ghp_0123456789abcdefghijABCDEFGHIJ";
const bare = parseSource(
  "house",
  JSON.stringify({ kind: "repo", url: "https://github.com/acme/skills", hosts: "github.com", enabled: true }),
);

function secrets() {
  const rows = new Map<string, string>();
  return {
    rows,
    findSecret: async (name: string) => rows.get(name),
    putSecret: async (name: string, secret: string) => void rows.set(name, secret),
    deleteSecret: async (name: string) => void rows.delete(name),
  };
}

async function kept(source: Source = bare) {
  const port = secrets();
  const tokenRef = await keepToken(port, keys, random, source, token);
  return { port, source: sealSource(keys, { ...source, tokenRef }) };
}

describe("IN-6: the token of a source", () => {
  test("is kept encrypted under a name, opens for its source, and is gone when it was dropped", async () => {
    const { port, source } = await kept();
    expect(source.tokenRef).toBe("source:house");
    expect([...port.rows.keys()]).toEqual(["source:house"]);
    expect([...port.rows.values()].join()).not.toContain(token);
    expect(await openToken(port, keys, source)).toBe(token);
    await dropToken(port, source);
    await dropToken(port, source);
    expect(port.rows.size).toBe(0);
    await expect(openToken(port, keys, source)).rejects.toMatchObject({ code: "keys.unusable" });
  });

  test("is none where none was set", async () => {
    expect(await openToken(secrets(), keys, sealSource(keys, bare))).toBeNull();
  });

  test("is replaced by the next one", async () => {
    const { port, source } = await kept();
    await keepToken(port, keys, random, source, "other");
    expect([await openToken(port, keys, source), port.rows.size]).toEqual(["other", 1]);
  });

  test.each([
    ["nothing", ""],
    ["256 characters", "x".repeat(256)],
    ["a space", "ghp secret"],
    ["a line end behind it", "secret\n"],
    ["a NUL", "secret\0"],
    ["another alphabet", "sécret"],
  ])("%s is no token; nothing is kept, and it is not repeated", async (_, given) => {
    const port = secrets();
    const refused = await keepToken(port, keys, random, bare, given).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "usage.invalid" });
    expect(String(refused)).not.toMatch(/secret|sécret|xxx/);
    expect(port.rows.size).toBe(0);
  });

  test("has up to 255 printable characters of any kind", async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
      minLength: 1,
      maxLength: 255,
    });
    await fc.assert(
      fc.asyncProperty(printable, async (any) => {
        const port = secrets();
        const tokenRef = await keepToken(port, keys, random, bare, any);
        expect(await openToken(port, keys, sealSource(keys, { ...bare, tokenRef }))).toBe(any);
      }),
      { numRuns: 50 },
    );
  });

  test("is nothing for a folder of this machine", async () => {
    const port = secrets();
    const refused = keepToken(port, keys, random, { ...bare, kind: "folder", hosts: null }, token);
    await expect(refused).rejects.toMatchObject({ code: "usage.invalid" });
    expect(port.rows.size).toBe(0);
  });
});

describe("T40: a ciphertext", () => {
  test.each<[string, Partial<Source>]>([
    ["another source", { id: "guest" }],
    ["another GitHub", { hosts: "ghe" }],
    ["another repository", { url: "https://github.com/mallory/skills" }],
  ])("that is moved to %s does not open, not even with a seal", async (_, patch) => {
    const { port, source } = await kept();
    const moved = sealSource(keys, { ...source, ...patch });
    await expect(openToken(port, keys, moved)).rejects.toMatchObject({ code: "keys.unusable" });
  });

  test("in the row of another one's token does not open", async () => {
    const [one, other] = [await kept(), await kept({ ...bare, id: "guest" })];
    one.port.rows.set("source:house", other.port.rows.get("source:guest") ?? "");
    await expect(openToken(one.port, keys, one.source)).rejects.toMatchObject({ code: "keys.unusable" });
  });

  test.each<[string, Partial<Source>]>([
    ["sent to its owner's others", { tokenForOwner: true }],
    ["of another reference", { tokenRef: "source:guest" }],
    ["of another ref", { ref: "heads/evil" }],
  ])("T9: does not open for a row that was made by hand to be %s", async (_, patch) => {
    const { port, source } = await kept();
    port.rows.set("source:guest", port.rows.get("source:house") ?? "");
    const refused = await openToken(port, keys, { ...source, ...patch }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "keys.unusable", message: /changed by hand; set it again/ });
    expect(String(refused)).not.toContain(token);
  });

  test("with another key file does not open", async () => {
    const { port, source } = await kept();
    const strangers = loadKeys(createKeyFile(seededRandomness("strangers")));
    const sealed = sealSource(strangers, source);
    await expect(openToken(port, strangers, sealed)).rejects.toMatchObject({ code: "keys.unusable" });
  });
});
