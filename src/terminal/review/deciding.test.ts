import { describe, expect, test } from "vitest";
import { digestOf, finding, opened } from "../../../test/support/review-desk.ts";
import { notes, pdf, sayings, sitDown, weather } from "../../../test/support/review-session.ts";
import { settle } from "../../../test/review/virtual-terminal.ts";
import { AppError } from "../../core/error.ts";

describe("RV-5: deciding", () => {
  test("approves exactly the digest that is shown, after one more key; then the next one opens", async () => {
    const { screen, type, desk, ends } = sitDown([weather, notes]);
    await type("\r", "a");
    expect(screen.text()).toContain("approve weather @ aaaaaaaaaaaa? y/n");
    expect(sayings(desk)).toEqual([]);
    await type("y");
    expect(sayings(desk)).toEqual([
      { act: "approve", digest: digestOf("a"), withoutGrants: false, overrides: [], reason: "" },
    ]);
    expect(screen.text()).toContain(" notes  acme:skills/notes");
    expect(screen.text()).toContain("approved weather @ aaaaaaaaaaaa: it is enabled now");
    await type("a", "y");
    expect(screen.text()).toContain("Nothing waits for review.");
    await type("q");
    expect(await ends).toEqual({ decided: 2, left: 0 });
  });

  test.each(["n", "q", "\u001b", "x", "\r", " ", "\u001b[200~y\u001b[201~"])("%j does not sign", async (key) => {
    const { type, pause, desk } = sitDown([weather]);
    await type("\r", "a", key);
    await pause();
    expect(sayings(desk)).toEqual([]);
  });

  test("a key that came along with the one that brought up the question answers nothing", async () => {
    const { screen, type, desk } = sitDown([weather, notes]);
    await type("\r", "ayyyy");
    expect(sayings(desk)).toEqual([]);
    expect(screen.text()).toContain("approve weather @ aaaaaaaaaaaa? y/n");
    await type("nq", "cy");
    expect(desk.calls.map(({ act }) => act)).not.toContain("clean");
  });

  test("tools are pre-approved or not as a person says", async () => {
    const asks = { ...weather, view: opened("weather", {}, { grants: ["Read", "Bash"] }) };
    const { screen, type, desk } = sitDown([asks]);
    await type("\r", "a");
    expect(screen.text()).toContain("It asks to have 2 tools pre-approved");
    await type("w");
    expect(screen.text()).toContain("without pre-approving its tools");
    await type("n", "a", "t");
    expect(screen.text()).toContain("pre-approving 2 tools: Read, Bash");
    await type("y");
    expect(sayings(desk)).toMatchObject([{ act: "approve", withoutGrants: false }]);
  });

  test("rejects, with a note or without one", async () => {
    const { screen, type, desk } = sitDown([weather, notes]);
    await type("\r", "r", "asks for a ", "\u001b[200~pass\nword\u001b[201~", "s\u007f", "\r");
    expect(screen.text()).toContain("reject weather @ aaaaaaaaaaaa? y/n");
    await type("y", "r", "\r", "y");
    expect(sayings(desk)).toEqual([
      { act: "reject", digest: digestOf("a"), note: "asks for a pass word" },
      { act: "reject", digest: digestOf("d"), note: "" },
    ]);
  });

  test("RV-6: what blocks must be overridden with a reason first", async () => {
    const { screen, type, desk } = sitDown([pdf]);
    await type("\r", "a");
    expect(screen.text()).toContain("run.download, text.hidden block it.");
    await type("a", "y", "o", " ", "\r");
    await type("\r");
    expect(screen.text()).toContain("an override needs a reason");
    await type("looked at it", "\r");
    expect(screen.text()).toContain("It stays blocked by text.hidden.");
    await type("a");
    expect(screen.text()).not.toContain("y/n");
    await type("o");
    expect(screen.text()).toContain("override pdf @ bbbbbbbbbbbb? y/n");
    await type("y");
    expect(sayings(desk)).toEqual([
      { act: "override", digest: digestOf("b"), overrides: ["run.download"], reason: "looked at it" },
    ]);
    expect(screen.text()).toContain("▲ 1 finding blocks");
    await type("f");
    expect(screen.text()).toContain("run.download overridden");
  });

  test("RV-6: overrides and approves in one", async () => {
    const { screen, type, desk, ends } = sitDown([pdf]);
    await type("\r", "o", " j ", "\r", "checked", "\r", "a", "w");
    expect(screen.text()).toContain("overriding run.download, text.hidden");
    await type("y", "q");
    expect(sayings(desk)).toEqual([
      {
        act: "approve",
        digest: digestOf("b"),
        withoutGrants: true,
        overrides: ["run.download", "text.hidden"],
        reason: "checked",
      },
    ]);
    expect(await ends).toEqual({ decided: 1, left: 0 });
  });

  test("T15: what moved meanwhile is not decided, and is shown as it is now", async () => {
    const { screen, type, desk, ends } = sitDown([weather, notes]);
    await type("\r", "a");
    desk.replace({ ...weather, view: opened("weather", {}, { digest: digestOf("e") }) });
    await type("y");
    expect(screen.text()).toContain("weather changed meanwhile: nothing was decided");
    expect(screen.text()).toContain("eeeeeeeeeeee · 1 of 2");
    await type("q", "q");
    expect(await ends).toEqual({ decided: 0, left: 2 });
  });

  test("what the desk refuses is said, and nothing else happens", async () => {
    const { screen, type, desk } = sitDown([weather, notes]);
    desk.fail("say", new AppError("review.refused", "ada added its source and may not review it"));
    await type("\r", "a", "y");
    expect(screen.text()).toContain("! ada added its source");
    expect(screen.text()).toContain(" weather  acme:skills/weather");
    desk.fail("open", new Error("a fault that nobody expected"));
    await type("n");
    expect(screen.text()).toContain("! a fault that nobody expected");
    desk.fail("raw", new AppError("store.failed", "the bytes are not there"));
    await type("n");
    expect(screen.text()).toContain("Its files cannot be shown: the bytes are not there");
  });

  test("what cannot be approved is said before any question", async () => {
    const broken = { ...weather, view: opened("weather", {}, { loadable: false }) };
    const tampered = { ...notes, view: opened("notes", {}, { tampering: [finding({ code: "revision.tampered" })] }) };
    const { screen, type } = sitDown([broken, tampered]);
    await type("\r", "a");
    expect(screen.text()).toContain("cannot approve weather: it cannot be loaded");
    await type("n", "a");
    expect(screen.text()).toContain("cannot approve notes: its bytes were changed by hand");
    expect(screen.text()).toContain("Changed by hand: not what came in");
  });

  test("while a word is being signed no key counts, and leaving waits for it", async () => {
    const { screen, type, desk, ends, raw } = sitDown([weather, notes]);
    await type("\r", "a");
    const release = desk.hold("say");
    await type("y", "q", "a", "y");
    expect(screen.text()).toContain("signing approve of weather @ aaaaaaaaaaaa");
    await type("\u0003");
    expect(raw).toEqual([true, false]);
    let isOver = false;
    const over = ends.finally(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    release();
    expect(await over).toEqual({ decided: 1, left: 1 });
    expect(sayings(desk)).toHaveLength(1);
  });

  test("what is only being read can be given up", async () => {
    const { screen, type, desk } = sitDown([weather, notes]);
    await type();
    const release = desk.hold("open");
    await type("\r");
    expect(screen.text()).toContain("opening acme:skills/weather…");
    await type("jjj", "\u001b\u001b");
    release();
    await settle();
    expect(screen.text()).toContain("2 waiting");
  });
});
