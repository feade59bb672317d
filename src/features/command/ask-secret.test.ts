import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askSecret, askTwice } from "./ask-secret.ts";
import type { Keyboard } from "./output.ts";

/** A terminal as far as asking goes: it repeats what is typed unless it is raw. */
function terminal() {
  const modes: boolean[] = [];
  let shown = "";
  const stream = new PassThrough();
  const input = Object.assign(stream, { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
  const type = (keys: string) => {
    if (modes.at(-1) !== true) shown += keys;
    stream.write(keys);
  };
  const output = { write: (text: string) => (shown += text) };
  return { keyboard: { input, output } satisfies Keyboard, type, modes, shown: () => shown };
}

function piped(...chunks: (string | Uint8Array)[]) {
  const input = new PassThrough();
  for (const chunk of chunks) input.write(chunk);
  return { input, output: { write: () => true } } satisfies Keyboard;
}

/** Lets everything happen that is already on its way. */
const settle = () => new Promise((done) => setImmediate(done));

describe("T40: a secret at a terminal", () => {
  test("T40: nothing of it is repeated, and the terminal is as before", async () => {
    const { keyboard, type, modes, shown } = terminal();
    const answer = askSecret("Secret: ", keyboard);
    type("sk-very-");
    await settle();
    type("secret\r");
    expect(await answer).toBe("sk-very-secret");
    expect(shown()).toBe("Secret: \n");
    expect(modes).toEqual([true, false]);
    expect(keyboard.input.isPaused()).toBe(true);
  });

  test("a password is asked for twice, also when both were typed at once", async () => {
    const { keyboard, type, shown, modes } = terminal();
    const answer = askTwice("Password: ", keyboard);
    type("correct horse\rcorrect horse\r");
    expect(await answer).toBe("correct horse");
    expect(shown()).toBe("Password: \nOnce more: \n");
    expect(modes).toEqual([true, false]);
  });

  test("two that differ are none", async () => {
    const { keyboard, type, modes } = terminal();
    const answer = askTwice("Password: ", keyboard);
    type("correct horse\r");
    await settle();
    type("correct hose\r");
    await expect(answer).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringMatching(/not the same/),
    });
    expect(modes.at(-1)).toBe(false);
  });

  test.each([
    ["Ctrl-C", "half\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s gives up, and the terminal is as before", async (_what, keys) => {
    const { keyboard, type, modes } = terminal();
    const answer = askSecret("Secret: ", keyboard);
    type(keys);
    await expect(answer).rejects.toMatchObject({ code: "usage.invalid", message: "cancelled; nothing was changed" });
    expect(modes).toEqual([true, false]);
  });

  test("a terminal that goes away gives up too", async () => {
    const { keyboard } = terminal();
    const answer = askSecret("Secret: ", keyboard);
    keyboard.input.end();
    await expect(answer).rejects.toThrow("cancelled");
  });

  test("Enter alone is no secret", async () => {
    const { keyboard, type } = terminal();
    const answer = askSecret("Secret: ", keyboard);
    type("\r");
    await expect(answer).rejects.toThrow("nothing was typed");
  });
});

describe("T40: a secret that is piped in", () => {
  test.each<[string, (string | Uint8Array)[]]>([
    ["the first line", ["sk-secret\nurl: https://example.com\n"]],
    ["in parts", ["sk-", "sec", "ret\n"]],
    ["with another line end", ["sk-secret\r\n"]],
  ])("%s is the secret, and nobody waits for the end of the input", async (_what, chunks) => {
    const keyboard = piped(...chunks);
    expect(await askSecret("", keyboard)).toBe("sk-secret");
    expect(keyboard.input.destroyed).toBe(true);
  });

  test("without a line end it is all there is", async () => {
    const keyboard = piped("sk-secret");
    keyboard.input.end();
    expect(await askTwice("", keyboard)).toBe("sk-secret");
  });

  test("a character may come in two parts", async () => {
    const bytes = Buffer.from("pässword\n");
    expect(await askSecret("", piped(bytes.subarray(0, 2), bytes.subarray(2)))).toBe("pässword");
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["nothing", Buffer.from("\n"), /nothing was typed or piped in/],
    ["what is no UTF-8", Buffer.from([0x61, 0xff, 0x0a]), /not valid UTF-8/],
    ["an endless line", Buffer.alloc(20_000, "a"), /more than 16384 characters/],
  ])("%s is refused", async (_what, bytes, message) => {
    await expect(askSecret("", piped(bytes))).rejects.toMatchObject({
      code: "usage.invalid",
      message: expect.stringMatching(message),
    });
  });
});
