import { describe, expect, test } from "vitest";
import { bundleChild } from "../support/bundle.ts";
import { Pty, type PtyOptions } from "../support/pty.ts";

const child = bundleChild("test/agent/chat-terminal.child.ts");

async function chatting(options: PtyOptions = {}): Promise<Pty> {
  const pty = new Pty(process.execPath, [child()], options);
  await pty.until("3 skills (");
  return pty;
}

/** What can be seen, without empty rows. */
const seen = (pty: Pty) => pty.screen().filter((row) => row !== "");
const status = "  echo · 3 skills (1 unconfirmed) · gen 4 · 1.2k tokens";

describe("a chat at a real terminal", () => {
  test("AG-8, AG-10: what is said stays above, and the prompt with its status is there once", async () => {
    const pty = await chatting();
    pty.type("hello");
    pty.press("Enter");
    await pty.until((rows) => rows.includes("```") && rows.includes("›"), "an answer and the next prompt");
    expect(seen(pty)).toEqual([
      "Skillward  /home/ann/project",
      "3 skills, 1 of them unconfirmed: /skills shows them · /help for all else",
      "› hello",
      "# You said",
      "hello",
      "- one",
      "- two",
      "```",
      "code",
      "```",
      "›",
      status,
    ]);
    pty.type("/exit");
    pty.press("Enter");
    expect(await pty.ended).toBe(0);
    expect(pty.scrollback()).not.toContain(status);
    expect(pty.raw()).toMatch(/\nleft\r\n$/);
  });

  test("AG-7: a question is answered by the person who has seen it", async () => {
    const pty = await chatting();
    pty.type("work");
    pty.press("Enter");
    await pty.until("[y]es");
    expect(seen(pty)).toContain("│ npm test");
    pty.type("y");
    await pty.until("Done.");
    expect(seen(pty)).toContain("✓ shell npm test · Exit code 0.");
    expect(seen(pty)).not.toContain("│ npm test");
  });

  test("AG-6: Tab completes, the menu is gone once something of it is taken", async () => {
    const pty = await chatting();
    pty.type("/s");
    pty.press("Tab");
    await pty.until("/skills:review  reviews a change");
    pty.press("Tab", "Tab", "Tab", "Enter");
    await pty.until((rows) => rows.includes("› /skills:pdf") && rows.includes(status), "the name in the line");
    expect(pty.screen().join("\n")).not.toContain("reviews a change");
  });

  test("AG-8: Ctrl-C cancels the turn, what was typed meanwhile stands there; twice on an empty line it leaves", async () => {
    const pty = await chatting();
    pty.type("wait");
    pty.press("Enter");
    await pty.until("working… Ctrl-C cancels");
    pty.type("meanwhile");
    await pty.until("› meanwhile");
    pty.press("Ctrl-C");
    await pty.until("■ cancelled");
    await pty.until((rows) => rows.includes("› meanwhile") && rows.includes(status), "the prompt");
    pty.press("Ctrl-C");
    await pty.until((rows) => rows.includes("›"), "an empty line");
    pty.press("Ctrl-C");
    await pty.until("Ctrl-C again to leave");
    pty.press("Ctrl-C");
    expect(await pty.ended).toBe(0);
  });

  test.each([
    ["Ctrl-Z", (pty: Pty) => pty.press("Ctrl-Z")],
    ["a signal", (_pty: Pty, pid: number) => process.kill(pid, "SIGTSTP")],
  ])(
    "AG-10: %s stops it, the shell has the terminal, and it goes on with the line that was typed",
    async (_what, stop) => {
      // A shell with job control, whose terminal is as a shell leaves it before it goes on.
      const script = '"$0" "$1"; stty sane; echo "shell $(stty -a | grep -o " icanon")"; read -r word; fg >/dev/null';
      const pty = new Pty("bash", ["-c", `set -m; ${script}`, process.execPath, child()]);
      await pty.until("3 skills (");
      pty.type("/pid");
      pty.press("Enter");
      await pty.until((rows) => rows.some((row) => row.startsWith("pid ")), "its number");
      const pid = Number(
        pty
          .screen()
          .find((row) => row.startsWith("pid "))
          ?.slice(4),
      );
      pty.type("half a li");
      await pty.until("› half a li");
      stop(pty, pid);
      await pty.until("shell  icanon");
      pty.type("on\r");
      await pty.until((rows) => rows.filter((row) => row !== "").at(-2) === "› half a li", "the line again");
      // Keys, and not what the terminal itself makes of them.
      pty.press("Ctrl-A");
      pty.type("one ");
      await pty.until("› one half a li");
      expect(seen(pty).slice(-2)).toEqual(["› one half a li", status]);
      pty.press("Ctrl-K", "Ctrl-U", "Ctrl-D");
      expect(await pty.ended).toBe(0);
      expect(pty.raw()).toMatch(/\nleft\r\n$/);
    },
  );

  test("AG-10: twenty columns, another size, no colours where none are wanted", async () => {
    const pty = await chatting({ columns: 20, rows: 10, env: { NO_COLOR: "1" } });
    pty.type("日本語 and more than one row of it");
    await pty.until((rows) => rows.includes("› 日本語 and more th"), "the first row");
    pty.resize(40, 12);
    await pty.until((rows) => rows.includes("› 日本語 and more than one row of it"), "one row");
    expect(seen(pty).filter((row) => row.includes("日本語"))).toHaveLength(1);
    pty.press("Enter");
    await pty.until("code");
    // oxlint-disable-next-line no-control-regex
    expect(pty.raw()).not.toMatch(/\u001b\[[\d;]*3[0-7]m/);
  });
});
