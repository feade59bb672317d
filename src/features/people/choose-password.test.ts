import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { seededRandomness } from "../../testing/seeded-randomness.ts";
import { choosePassword } from "./choose-password.ts";

const choose = (options: Readonly<Record<string, boolean>>, seed = "a") =>
  choosePassword({ args: [], options }, "ada", seededRandomness(seed), {
    input: new PassThrough(),
    output: { write: () => {} },
  });

test("SV-11: whoever signs in elsewhere has a password that is made, and shown to nobody", async () => {
  const { password, shown } = await choose({ withoutPassword: true });
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(shown).toEqual({});
  expect((await choose({ withoutPassword: true }, "b")).password).not.toBe(password);
});

test("a password that is asked to be made is shown once", async () => {
  const { password, shown } = await choose({ generate: true });
  expect(shown).toEqual({ password });
});

test.each([
  [["generate", "passwordStdin"], "give --generate or --password-stdin, not more than one of them"],
  [["generate", "withoutPassword"], "give --generate or --without-password, not more than one of them"],
  [["passwordStdin", "withoutPassword"], "give --password-stdin or --without-password, not more than one of them"],
])("%j at once are refused", async (names, message) => {
  const options = Object.fromEntries(names.map((name) => [name, true]));
  await expect(choose(options)).rejects.toThrow(message);
});
