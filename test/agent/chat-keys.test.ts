import { execFileSync, spawnSync } from "node:child_process";
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChatPlace, skillMd } from "./chat-program.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

describe("keys, at a real terminal", () => {
  test("AG-8: Ctrl-C ends a turn that hangs with all that it started, what was typed meanwhile is kept; twice it leaves", async () => {
    const place = await ChatPlace.make();
    // Nobody else on this machine sleeps as long.
    const sleep = `sleep 61.${process.pid}`;
    const model = await place.script(
      { when: "Hang", calls: [{ tool: "shell", input: { command: sleep } }] },
      { reply: "Back again." },
    );
    const chat = await place.chat({ model, args: ["--allow", "Bash(sleep:*)"] });
    await chat.enter("Hang");
    await chat.until(`● shell ${sleep}`);
    await expect.poll(() => processesOf(sleep)).toHaveLength(1);
    chat.type("meanwhile");
    await chat.until("› meanwhile");
    chat.press("Ctrl-C");
    await chat.until("■ cancelled");
    await expect.poll(() => processesOf(sleep)).toEqual([]);
    await chat.until((rows) => rows.includes("› meanwhile") && !rows.some((row) => row.includes("cancelling")), "kept");
    chat.press("Enter");
    await chat.ready();
    expect(chat.answer()).toBe("Back again.");
    chat.press("Ctrl-C");
    await chat.until("Ctrl-C again to leave");
    chat.press("Ctrl-C");
    expect(await chat.ended).toBe(0);
  });

  test("AG-8: a model that is lost keeps the conversation; Ctrl-D leaves; lines and the conversation are there the next time", async () => {
    const place = await ChatPlace.make();
    const model = await place.script(
      { when: "the second line", reply: "Answer two." },
      { when: "break", reply: "A begin", fail: { after: 7, message: "the connection was reset" } },
      { turn: 1, reply: "Answer one." },
      { turn: 3, reply: "Answer three." },
    );
    const first = await place.chat({ model });
    expect(await first.say("the first line")).toBe("Answer one.");
    expect(await first.say("break")).toMatch(/A begin\n\n✗ the model failed: [^]*Nothing of the conversation is lost/);
    expect(await first.say("the second line")).toBe("Answer two.");
    first.press("Ctrl-D");
    expect(await first.ended).toBe(0);
    await first.until("Kept: ");
    const [, id = ""] = /--resume (\S+)/.exec(first.scrollback().join("\n")) ?? [];
    expect(id).not.toBe("");
    const second = await place.chat({ model, args: ["--resume", id] });
    expect(second.screen().join("\n")).toMatch(new RegExp(`^conversation ${id} goes on, \\d+ messages so far$`, "m"));
    for (const line of ["the second line", "break", "the first line"]) {
      second.press("Up");
      await second.until(`› ${line}`);
    }
    second.press("Enter");
    await second.until("Answer three.");
    await second.ready();
    second.press("Ctrl-D");
    await second.until(`Kept: skillward chat --model ${model} --resume ${id}`);
    const missing = await place.plain(["--resume", "20200101-000000-abcdef", "--print", "x"]);
    expect(missing.code).not.toBe(0);
    expect(missing.err).toContain("20200101-000000-abcdef");
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "AG-8: %s ends it as it ends any program, with the conversation kept and the terminal as it was",
    async (signal, code) => {
      const chat = await (await ChatPlace.make()).chat();
      await chat.say("hello");
      chat.send(signal);
      expect(await chat.ended).toBe(code);
      await chat.until("Kept: skillward chat --model echo --resume ");
      expect(chat.status()).toContain("Kept: ");
    },
  );

  test("AG-7: a question is answered with y, n or always, by nothing that was typed before it", async () => {
    const place = await ChatPlace.make();
    const ask = (name: string) => ({ tool: "shell", input: { command: `touch ${name}` } });
    const model = await place.script(
      { when: "early", calls: [ask("early")] },
      { when: "refuse", calls: [ask("refused")] },
      { when: "permit", calls: [ask("allowed")] },
      { when: "always", calls: [ask("always"), ask("always"), ask("other")] },
      { when: "settings", calls: [{ tool: "write", input: { path: "skillward.yaml", content: "budget: 1" } }] },
      { reply: "Over." },
    );
    const chat = await place.chat({ model });
    const isThere = (name: string) =>
      access(join(place.workspace, name)).then(
        () => true,
        () => false,
      );
    // In one write, as from fingers that type on.
    chat.type("early");
    await chat.until("› early");
    chat.type("\ryyy");
    await chat.until("│ touch early");
    await chat.until("allow? [y]es");
    expect(await isThere("early")).toBe(false);
    chat.type("n");
    await chat.until((rows) => rows.includes("Over.") && rows.includes("› yyy"), "the line that was begun");
    expect(await isThere("early")).toBe(false);
    chat.press("Ctrl-U");
    await chat.ready();
    await chat.enter("refuse");
    await chat.until("allow? [y]es");
    // A paste is no answer, nor is a key that is none.
    chat.type("\u001b[200~y\u001b[201~");
    chat.type("x");
    chat.press("Ctrl-L");
    await chat.until((rows) => !rows.includes("› refuse"), "a window that was cleared, behind all other keys");
    await chat.until("allow? [y]es");
    chat.type("n");
    await chat.until((rows) => rows.includes("Over.") && rows.includes("›"), "the end of the turn");
    // Told once, by the person's word.
    expect(chat.screen().filter((row) => row.startsWith("⊘"))).toEqual(["⊘ shell touch refused · you said no"]);
    expect(await isThere("refused")).toBe(false);
    await chat.enter("permit");
    await chat.until("allow? [y]es");
    chat.type("y");
    await chat.ready();
    expect(await isThere("allowed")).toBe(true);
    await chat.enter("always");
    await chat.until("allow? [y]es");
    chat.type("a");
    // The same call is not asked about again; another one is.
    await chat.until("│ touch other");
    expect(await isThere("always")).toBe(true);
    await chat.until("allow? [y]es");
    chat.press("Escape");
    await chat.ready();
    expect(await isThere("other")).toBe(false);
    await chat.enter("settings");
    await chat.until("write wants to write skillward.yaml:");
    // Asked every time: there is no word for all times.
    await chat.until((rows) => rows.includes("allow? [y]es  [n]o"), "the keys");
    chat.press("Ctrl-C");
    await chat.until("■ cancelled");
    expect(await isThere("skillward.yaml")).toBe(false);
  });

  test("AG-10: twenty columns, another size in the middle of a turn, no colours where none are wanted", async () => {
    const place = await ChatPlace.make({ "a/SKILL.md": skillMd("a-long-enough-name", "Says what it is for.", "A") });
    const model = await place.script(
      { when: "work", calls: [{ tool: "shell", input: { command: "sleep 62.25" } }] },
      { reply: "日本語 is as wide as it is, and wraps where it has to." },
    );
    const args = ["--allow", "Bash(sleep:*)"];
    const chat = await place.chat({ model, args, columns: 20, rows: 30, env: { NO_COLOR: "1" } });
    await chat.enter("/skills");
    await chat.ready();
    expect(chat.answer()).toContain("/skills:a-long-");
    await chat.enter("words");
    await chat.ready();
    expect(chat.answer().replaceAll("\n", "")).toContain("日本語 is as wide as it is, and wraps where it has to.");
    await chat.enter("work");
    await chat.until("working…");
    chat.resize(60, 20);
    await chat.until("● shell sleep 62.25");
    chat.resize(20, 10);
    await chat.until((rows) => rows.filter((row) => row.includes("working…")).length === 1, "one spinner");
    chat.resize(60, 20);
    chat.press("Ctrl-C");
    await chat.until("■ cancelled");
    await chat.ready();
    expect(chat.screen().filter((row) => row === "›")).toHaveLength(1);
    expect(chat.screen().filter((row) => row.startsWith("  1 skill (1 unconfirmed) · gen 1"))).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex
    expect(chat.raw()).not.toMatch(/\u001b\[(?:\d+;)*(?:[34]\d|9[0-7]|10[0-7])[;m]/);
  });

  test.skipIf(!hasTmux)("AG-10: in tmux too", async () => {
    const place = await ChatPlace.make({ "a/SKILL.md": skillMd("alpha", "The only one.", "A") });
    const socket = join(place.folder, "tmux");
    const tmux = (...args: readonly string[]) =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
        env: { PATH: process.env["PATH"], HOME: place.home, LANG: "C.UTF-8", TERM: "xterm-256color" },
        encoding: "utf8",
      });
    const words = [process.execPath, resolve("dist/cli.js"), "chat", "--model", "echo"];
    tmux("new-session", "-d", "-x", "80", "-y", "20", "-c", place.workspace, ...words);
    onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
    const pane = () => tmux("capture-pane", "-p").split("\n");
    await expect.poll(pane).toContain("›");
    tmux("send-keys", "/skills:");
    await expect.poll(pane).toContain("› /skills:");
    tmux("send-keys", "Tab");
    await expect.poll(pane).toContain("› /skills:alpha");
    tmux("resize-window", "-x", "60", "-y", "15");
    tmux("send-keys", "C-u", "/skills", "Enter");
    await expect.poll(() => pane().join("\n")).toContain("/skills:alpha  unconfirmed · The only one.");
    await expect.poll(pane).toContain("›");
    expect(pane().filter((row) => row.includes("echo · 1 skill"))).toHaveLength(1);
  });
});

/** Those whose command line is exactly this. */
function processesOf(line: string): readonly string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  const found = stdout.split("\n").map((row) => /^\s*(\d+) (.*)$/.exec(row));
  return found.flatMap((match) => (match?.[2] === line && match[1] !== undefined ? [match[1]] : []));
}
