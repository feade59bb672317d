import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatPlace, eventsIn, skillMd } from "./chat-program.ts";

const files = {
  "tea/SKILL.md": skillMd("brew-tea", "TEA-DESCRIPTION", "TEA-BODY", "allowed-tools: Bash(touch:*)\n"),
  "AGENTS.md": "RULE-OF-THE-PROJECT",
};

describe("a chat without a terminal", () => {
  test("AG-10: a pipe says one line after the other; answers on standard output, the rest beside it, no colours", async () => {
    const place = await ChatPlace.make(files);
    const ended = await place.piped([], { input: "one\n/skills\n/exit\nnever said\n" });
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^\[system\]\n[^]*\[user\]\none\n[^]*1 skill, 1 unconfirmed, generation 1\n/);
    expect(ended.out).toContain("  /skills:brew-tea  unconfirmed · TEA-DESCRIPTION\n");
    expect(ended.out).not.toContain("never said");
    expect(ended.out + ended.err).not.toContain("\u001b");
    const invoked = await place.plain(["--print", "/skills:brew-tea green"]);
    // AG-6: the same code path as at a terminal.
    expect(invoked.out).toContain('[user]\nApply Skill "brew-tea" with arguments: "green"\n\nTEA-BODY\n');
    expect(invoked.err).toContain("◇ skill brew-tea · invoked");
    expect(invoked.out).not.toContain("◇");
  });

  test("AG-2: without a terminal nothing of the workspace is in the prompt, unless it is said to be trusted", async () => {
    const place = await ChatPlace.make(files);
    const [untrusted, untrustedBodies, trusted, bodies] = await Promise.all([
      place.plain(["--print", "hello"]),
      place.plain(["--print", "hello", "--inject", "bodies"]),
      place.plain(["--print", "hello", "--trust-workspace"]),
      place.plain(["--print", "hello", "--trust-workspace", "--inject", "bodies"]),
    ]);
    expect(untrusted.code).toBe(0);
    for (const { out } of [untrusted, untrustedBodies])
      expect(out).not.toMatch(/brew-tea|TEA-|RULE-OF-THE-PROJECT|Available Skills/);
    expect(trusted.out).toMatch(/## Project rules\nRULE-OF-THE-PROJECT[^]*- brew-tea \(project:tea\): TEA-DESCRIPTION/);
    expect(trusted.out).not.toContain("TEA-BODY");
    expect(bodies.out).toMatch(/## Available Skills[^]*TEA-BODY[^]*\[user\]\nhello/);
    // For that time only.
    expect((await place.plain(["--print", "hello"])).out).not.toContain("brew-tea");
  });

  test("AG-7, SC-7: without a terminal nobody can be asked: what was not allowed beforehand is denied", async () => {
    const place = await ChatPlace.make(files);
    const model = await place.script(
      { when: "Go", calls: [{ tool: "shell", input: { command: "touch made" } }] },
      { when: "Exit code 0", reply: "It ran." },
      { reply: "It did not run." },
    );
    const isMade = () =>
      readFile(join(place.workspace, "made")).then(
        () => true,
        () => false,
      );
    const denied = await place.plain(["--print", "Go"], { model });
    expect([denied.out, await isMade()]).toEqual(["It did not run.\n", false]);
    expect(denied.err).toContain("⊘ shell touch made");
    // What a skill asks for is granted by nobody who only invokes it.
    const invoked = await place.plain(["--json"], { model, input: "/skills:brew-tea\nGo\n" });
    expect(eventsIn(invoked)).toContainEqual(expect.objectContaining({ type: "tool.denied", tool: "shell" }));
    const other = await place.plain(["--print", "Go", "--allow", "Bash(ls:*)"], { model });
    expect([other.out, await isMade()]).toEqual(["It did not run.\n", false]);
    const allowed = await place.plain(["--print", "Go", "--allow", "Bash(touch:*)"], { model });
    expect([allowed.out, await isMade()]).toEqual(["It ran.\n", true]);
  });

  test("AG-8, AG-10: --json gives every event as a line, and exit codes tell what came of it", async () => {
    const place = await ChatPlace.make(files);
    const model = await place.script({ when: "hello", reply: "Fine." }, { fail: { status: 500, message: "down" } });
    const [fine, failed, refused, both, none, unread] = await Promise.all([
      place.plain(["--json", "--print", "hello"], { model }),
      place.plain(["--json"], { model, input: "fail\nhello\n" }),
      place.plain(["--print", "/nothing"], { model }),
      place.plain(["--print", "x", "--config", "support"], { model }),
      // The others keep conversations meanwhile.
      place.plain(["--print", "x", "--resume"], { model, env: { HOME: place.folder } }),
      place.plain(["--print", "x"], { model: "scripted:/nowhere/at/all.json" }),
    ]);
    expect(fine.code).toBe(0);
    expect(eventsIn(fine).map(({ type }) => type)).toEqual(
      expect.arrayContaining(["turn.started", "model.asked", "text", "model.answered", "turn.ended"]),
    );
    expect(fine.err).toBe("");
    expect(failed.code).toBe(1);
    expect(eventsIn(failed).filter(({ type }) => type === "turn.ended")).toEqual([
      { type: "turn.ended", end: "failed" },
      { type: "turn.ended", end: "finished" },
    ]);
    expect([refused.code, refused.out]).toEqual([1, "there is no command /nothing; /help lists those there are\n"]);
    for (const wrong of [both, none, unread]) {
      expect(wrong.code).toBeGreaterThan(0);
      expect(wrong.out).toBe("");
      expect(wrong.err).not.toBe("");
    }
  });
});
