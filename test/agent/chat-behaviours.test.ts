import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatPlace, lastMessage, skillMd } from "./chat-program.ts";

describe("skills, at a real terminal", () => {
  test("AG-1, AG-5: they are found anywhere and listed, built-ins win, other names are reached quoted or qualified", async () => {
    const place = await ChatPlace.make({
      "deep/er/down/SKILL.md": skillMd("deep-one", "Lies deep.", "Dig."),
      "deep/er/skill.md": skillMd("other-case", "Not a skill's file name.", "Never."),
      "node_modules/x/SKILL.md": skillMd("packaged", "Belongs to a package.", "Never."),
      ".agents/skills/agents-one/SKILL.md": skillMd("agents-one", "For any agent.", "A"),
      ".claude/skills/claude-one/SKILL.md": skillMd("claude-one", "For another agent.", "C"),
      "x/help/SKILL.md": skillMd("help", "Has a command's name.", "HELP-BODY"),
      "x/reload/SKILL.md": skillMd("reload", "Has the name of a word.", "RELOAD-BODY"),
      "x/trust/SKILL.md": skillMd("trust", "Has another word's name.", "TRUST-BODY"),
      "x/two/SKILL.md": skillMd("two words", "Has a blank in its name.", "TWO-BODY"),
      "a/same/SKILL.md": skillMd("same", "One of two.", "SAME-A"),
      "b/same/SKILL.md": skillMd("same", "Two of two.", "SAME-B"),
    });
    await place.write(join(place.home, ".agents/skills/own/SKILL.md"), skillMd("own", "My own.", "O"));
    await place.write(join(place.home, ".claude/skills/own-too/SKILL.md"), skillMd("own-too", "Mine too.", "O2"));
    const chat = await place.chat({ rows: 120 });
    expect(chat.status()).toBe("  echo · 11 skills (9 unconfirmed) · gen 3 · 0 tokens");
    const listed = (await chat.say("/skills")).split("\n").filter((row) => row.startsWith("  /"));
    expect(listed).toEqual([
      "  /skills:agents-one      unconfirmed · For any agent.",
      "  /skills:claude-one      unconfirmed · For another agent.",
      "  /skills:deep-one        unconfirmed · Lies deep.",
      "  /skills:help            unconfirmed · Has a command's name.",
      "  /skills:own             My own.",
      "  /skills:own-too         Mine too.",
      "  /skills:project:a/same  unconfirmed · One of two.",
      "  /skills:project:b/same  unconfirmed · Two of two.",
      "  /skills:reload          unconfirmed · Has the name of a word.",
      "  /skills:trust           unconfirmed · Has another word's name.",
      '  /skills:"two words"     unconfirmed · Has a blank in its name.',
    ]);
    expect(await chat.say("/help")).toMatch(/^commands\n/);
    expect(await chat.say("/skills reload")).toContain("nothing changed");
    expect(await chat.say("/skills:same")).toBe(
      '"same" is the name of 2 skills: say which, /skills:project:a/same or /skills:project:b/same',
    );
    expect(await chat.say("/skills:deep-on")).toBe('there is no skill "deep-on"; did you mean /skills:deep-one?');
    expect(await chat.say("/deep-one")).toBe("there is no command /deep-one; did you mean /skills:deep-one?");
    expect(await chat.say("/skill")).toContain("did you mean /skills?");
    expect(await chat.say("/skills deep-one")).toBe("a skill is invoked with a colon: /skills:deep-one");
    // Nothing was asked so far: a mistyped command never goes to the model.
    expect(chat.status()).toContain("· 0 tokens");
    const said = await chat.say('/skills:help /skills:reload /skills:"two words" /skills:project:b/same go');
    expect(said).toMatch(/HELP-BODY[^]*RELOAD-BODY[^]*TWO-BODY[^]*SAME-B/);
    expect(said).not.toContain("SAME-A");
    expect(await chat.say("/skills trust project:a/same")).toContain("1 skill confirmed");
    for (const folder of ["deep", ".agents", ".claude", "x", "a", "b"]) await place.remove(folder);
    for (const folder of [".agents/skills/own", ".claude/skills/own-too"]) await place.remove(join(place.home, folder));
    await chat.until("0 skills");
    expect(await chat.say("/skills")).toContain("no skills here: skillward new <name>, or skillward add owner/repo");
  });

  test("AG-5: an invocation begins with its exact line, has the body alone, and its arguments filled in", async () => {
    const place = await ChatPlace.make({
      "fill/SKILL.md": skillMd("fill", "SECRET-DESCRIPTION", "All: $ARGUMENTS\nFirst: $1\nThird: $3"),
      "plain/SKILL.md": skillMd("plain", "Plain.", "Just do it."),
    });
    const chat = await place.chat();
    const sent = async (line: string) => {
      const message = lastMessage(await chat.say(line));
      await chat.say("/new");
      return message.split("\n\n(The available skills changed")[0]?.trimEnd();
    };
    expect(await sent("/skills:plain")).toBe('Apply Skill "plain"\n\nJust do it.');
    expect(await sent("/skills:plain   ")).toBe('Apply Skill "plain"\n\nJust do it.');
    expect(await sent("/skills:plain  now, twice ")).toBe(
      'Apply Skill "plain" with arguments: "now, twice"\n\nJust do it.',
    );
    expect(await sent('/skills:fill "a b" c')).toBe(
      'Apply Skill "fill" with arguments: ""a b" c"\n\nAll: "a b" c\nFirst: a b\nThird: $3',
    );
    expect(await sent("/skills:plain /skills:fill x")).toBe(
      [
        'Apply Skill "plain" with arguments: "x"\n\nJust do it.\n\n',
        'Apply Skill "fill" with arguments: "x"\n\nAll: x\nFirst: x\nThird: $3',
      ].join("\n"),
    );
    expect(await chat.say("/skills:plain /skills:none x")).toContain("nothing was sent");
  });

  test("AG-6: Tab offers what there is now, and nothing for text without a slash", async () => {
    const place = await ChatPlace.make({
      "alpha/SKILL.md": skillMd("alpha", "The first.", "A"),
      "ample/SKILL.md": skillMd("ample", "The second.", "A"),
      "beta/SKILL.md": skillMd("beta", "The third.", "B"),
    });
    const chat = await place.chat();
    expect(await chat.tab("/skills")).toEqual({
      line: "/skills",
      items: [
        "/skills reload  reads all skills again",
        "/skills trust   confirms skills and what they ask for",
        "/skills:alpha   The first.",
        "/skills:ample   The second.",
        "/skills:beta    The third.",
      ],
    });
    const names = ["/skills:alpha  The first.", "/skills:ample  The second.", "/skills:beta   The third."];
    expect((await chat.tab("/skills:")).items).toEqual(names);
    expect((await chat.tab("/skills:a")).items).toEqual(names.slice(0, 2));
    // The only one that fits is put there as a whole.
    expect((await chat.tab("/skills:b")).line).toBe("/skills:beta");
    expect((await chat.tab("/skills:alpha /skills:")).items).toEqual(names.slice(1));
    const before = chat.raw().length;
    chat.press("Tab");
    chat.type("skills");
    await chat.until("› skills");
    chat.press("Tab");
    chat.type("!");
    await chat.until("› skills!");
    expect(chat.raw().slice(before)).not.toContain("/");
    chat.press("Ctrl-C");
    await place.write("avid/SKILL.md", skillMd("avid", "The new one.", "A"));
    await place.remove("ample");
    await chat.say("/skills reload");
    expect((await chat.tab("/skills:a")).items).toEqual(["/skills:alpha  The first.", "/skills:avid   The new one."]);
  });

  test("AG-4: what others do is noticed: a new skill, an edit, a deletion, another branch", async () => {
    const place = await ChatPlace.make({ "one/SKILL.md": skillMd("one", "First.", "1") });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", "-C", place.workspace, ...args], {
        env: { PATH: process.env["PATH"], HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
      });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "other");
    await place.remove("one");
    await place.write("two/SKILL.md", skillMd("two", "Second.", "2"));
    git("add", "-A");
    git("commit", "-qm", "two");
    git("checkout", "-q", "main");
    const chat = await place.chat();
    expect(chat.status()).toContain("1 skill (1 unconfirmed) · gen 1");
    await place.write("new/in/here/SKILL.md", skillMd("newer", "New.", "N"));
    await chat.until("skills: +newer (generation 2)");
    await place.write("new/in/here/SKILL.md", skillMd("newer", "New.", "Another text."));
    await chat.until("skills: ~newer (generation 3)");
    await place.remove("new");
    await chat.until("skills: -newer (generation 4)");
    git("checkout", "-q", "other");
    await chat.until("skills: +two -one (generation 5)");
    git("checkout", "-q", "main");
    await chat.until("skills: +one -two (generation 6)");
    // All of it was told, and there is nothing left to tell.
    expect(await chat.say("/skills reload")).toBe("1 skill, generation 6\nnothing changed");
  });

  test("AG-4: /skills reload names what was added, changed and removed", async () => {
    const place = await ChatPlace.make({
      "stays/SKILL.md": skillMd("stays", "Stays.", "S"),
      "changes/SKILL.md": skillMd("changes", "Changes.", "C"),
      "goes/SKILL.md": skillMd("goes", "Goes.", "G"),
    });
    const changes = ["mkdir comes", "mv comes.md comes/SKILL.md", "echo More. >> changes/SKILL.md", "rm -r goes"];
    await place.write("change.sh", changes.join("\n"));
    await place.write("comes.md", skillMd("comes", "Comes.", "C"));
    const model = await place.script(
      { when: "Change", calls: [{ tool: "shell", input: { command: "sh change.sh" } }] },
      { reply: "Done." },
    );
    // Without a terminal nobody watches: nothing but the command reads them again.
    const lines = { model, input: "Change\n/skills reload\n/skills reload\n" };
    const { out } = await place.plain(["--allow", "Bash(sh change.sh)"], lines);
    expect(out.split("\n")).toEqual([
      "Done.",
      "3 skills, generation 2",
      "added: comes",
      "changed: changes",
      "removed: goes",
      "3 skills, generation 2",
      "nothing changed",
      "",
    ]);
  });

  test("AG-4: a skill that the agent writes can be used in the same session, from the user role alone", async () => {
    const place = await ChatPlace.make();
    const model = await place.script(
      {
        when: "Write one",
        calls: [
          { tool: "write", input: { path: "own/SKILL.md", content: skillMd("greet", "Greets.", "Say HI-THERE.") } },
        ],
      },
      { when: "Skills were reloaded: added greet", calls: [{ tool: "load_skill", input: { name: "greet" } }] },
      { when: "HI-THERE", reply: "It says HI-THERE." },
      { system: "greet", reply: "It is in the system message." },
      { reply: "No idea." },
    );
    const chat = await place.chat({ model });
    const said = await chat.say("Write one");
    expect(said).toContain("skills: +greet (generation 1)");
    expect(said).toContain("◇ skill greet · loaded by the model");
    expect(said).toMatch(/It says HI-THERE\.$/);
    expect(await chat.say("/skills")).toContain("/skills:greet  written in this session · Greets.");
    expect(await chat.say("hello")).toBe("No idea.");
    expect(await readFile(join(place.workspace, "own/SKILL.md"), "utf8")).toContain("HI-THERE");
  });

  test("AG-2, AG-3, AG-5: the other commands: conversations, what is in the prompt, routing, sub-agents, scope, tools, rules", async () => {
    const place = await ChatPlace.make({
      "brew/SKILL.md": skillMd("brew-tea", "Brews a pot of tea.", "Boil water."),
      "AGENTS.md": "RULE-OF-THE-PROJECT",
    });
    const chat = await place.chat({ rows: 120 });
    await chat.say("first words");
    expect(chat.status()).not.toContain("· 0 tokens");
    expect(await chat.say("second words")).toContain("first words");
    for (const command of ["/new", "/clear"]) {
      await place.write(`${command}/SKILL.md`.slice(1), skillMd(`with-${command.slice(1)}`, "New.", "N"));
      expect(await chat.say(command)).toMatch(/new conversation \d{8}-\d{6}-/);
      expect(await chat.say("/skills")).toContain(`/skills:with-${command.slice(1)}`);
      expect(await chat.say("third words")).not.toContain("first words");
    }
    expect(await chat.say("/context")).not.toContain("brew-tea");
    await chat.say("/skills trust brew-tea");
    expect(await chat.say("/context")).toMatch(
      /the next prompt: \d+ bytes, \d+ tokens\n[^]*skill brew-tea +system · \d+ bytes, \d+ tokens/,
    );
    // AG-2: a person's word is remembered, for exactly these bytes.
    expect((await place.plain(["--print", "/skills"])).out).toContain("  /skills:brew-tea    Brews a pot of tea.\n");
    await place.write("brew/SKILL.md", skillMd("brew-tea", "Brews a pot of tea.", "Boil SOMETHING-ELSE."));
    await chat.until("skills: ~brew-tea");
    expect(await chat.say("/context")).not.toContain("brew-tea");
    await chat.say("/skills trust brew-tea");
    expect(await chat.say("/route brew me some tea")).toContain("/skills:brew-tea");
    const spawned = await chat.say("/spawn brew-tea: a cup for me");
    expect(spawned).toMatch(/the sub-agent finished\n[^]*a cup for me/);
    expect(await chat.say("/spawn brew-tee a cup")).toContain("did you mean brew-tea?");
    expect(await chat.say("/scope")).toContain("no scope is in force");
    expect(await chat.say("/tools")).toMatch(/read +allowed[^]*shell +asks · a person is asked first/);
    expect(await chat.say("/rules")).toContain("unconfirmed");
    expect(await chat.say("fourth words")).not.toContain("RULE-OF-THE-PROJECT");
    expect(await chat.say("/rules trust")).toContain("confirmed");
    expect(await chat.say("fifth words")).toContain("## Project rules\nRULE-OF-THE-PROJECT");
    expect(await chat.exit()).toBe(0);
    await chat.until("Kept: skillward chat --model echo --resume ");
  });
});
