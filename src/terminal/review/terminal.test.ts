import { describe, expect, test } from "vitest";
import { opened } from "../../../test/support/review-desk.ts";
import { notes, pdf, type Person, sitDown, weather } from "../../../test/support/review-session.ts";

describe("the terminal", () => {
  const isAsBefore = ({ screen, raw, listeners }: Person) => {
    expect([...screen.modes]).toEqual([
      ["1049", false],
      ["25", true],
      ["7", true],
      ["2004", false],
    ]);
    expect(raw).toEqual([true, false]);
    expect([listeners.resize.size, listeners.interrupt.size, listeners.continued.size]).toEqual([0, 0, 0]);
  };

  test.each([
    ["q", (person: Person) => person.type("q")],
    ["Ctrl-C", (person: Person) => person.type("\r", "a", "\u0003")],
    ["a signal", (person: Person) => person.interrupt()],
    ["a terminal that goes away", async (person: Person) => person.hangUp()],
  ])("is as it was after %s", async (_what, leave) => {
    const person = sitDown([weather]);
    await person.type();
    expect(person.screen.modes.get("1049")).toBe(true);
    await leave(person);
    expect(await person.ends).toEqual({ decided: 0, left: 1 });
    isAsBefore(person);
    expect(person.terminal.input.isPaused()).toBe(true);
  });

  test("is as it was after a fault of our own", async () => {
    const view = opened("weather");
    const broken = {
      ...view,
      get provenance(): never {
        throw new Error("a fault of ours");
      },
    };
    const person = sitDown([{ ...weather, view: broken }]);
    await person.type();
    person.type("\r").catch(() => {});
    await expect(person.ends).rejects.toThrow("a fault of ours");
    isAsBefore(person);
  });

  test("is ours again when the process goes on after it was stopped", async () => {
    const { screen, raw, type, goOn } = sitDown([weather]);
    await type();
    const before = screen.lines();
    // What a shell leaves behind.
    screen.write("\u001b[?1049l\u001b[?25h\u001b[?2004l\u001b[1;1H$ fg\u001b[2;1Hskillward review");
    await goOn();
    // It was raw for us all along: asking for it alone would do nothing.
    expect(raw).toEqual([true, false, true]);
    expect([screen.modes.get("1049"), screen.modes.get("25"), screen.modes.get("2004")]).toEqual([true, false, true]);
    expect(screen.lines()).toEqual(before);
    await type("?");
    expect(screen.lines()).not.toEqual(before);
  });

  test("a paste whose end never comes is over after a while: the keys are keys again", async () => {
    const { screen, type, pause } = sitDown([pdf, weather]);
    await type("/", "\u001b[200~wea");
    expect(screen.text()).not.toContain("> wea");
    await pause();
    expect(screen.text()).toContain("> wea_");
    await type("t");
    expect(screen.text()).toContain("> weat_");
  });

  test("only what changed is written", async () => {
    const { written, type } = sitDown([pdf, weather, notes]);
    await type();
    const before = written.length;
    await type("z");
    expect(written).toHaveLength(before);
    await type("j");
    expect(written.slice(before).join("").split("[2K").length).toBeLessThan(8);
    await type("\u000c");
    expect(written.at(-1)).toContain("\u001b[2J");
  });

  test("keys in parts, many at once, letters of several bytes in two chunks", async () => {
    const { screen, type } = sitDown([pdf, weather, notes]);
    await type("\u001b", "[B", "\u001b[", "B");
    expect(screen.text()).toContain("▸ new       notes");
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    await type("/", first, second);
    expect(screen.text()).toContain("> é_");
    await type("\u007fpdf\r\r");
    expect(screen.text()).toContain(" pdf  acme:skills/pdf");
  });

  test("follows the size, and asks for more where there is not enough", async () => {
    const { screen, type, resize } = sitDown([pdf, weather]);
    await type("\r", "G");
    for (const size of [
      { columns: 40, rows: 12 },
      { columns: 300, rows: 100 },
      { columns: 61, rows: 17 },
    ]) {
      await resize(size);
      expect(screen.text()).not.toContain("¤");
      expect(screen.lines()[0]).toContain(" pdf");
    }
    await resize({ columns: 39, rows: 12 });
    expect(screen.text()).toContain("make the terminal larger");
    await resize({ columns: 3, rows: 1 });
    await type("a", "y");
    await resize({ columns: 80, rows: 24 });
    expect(screen.text()).not.toContain("y/n");
  });

  test("without colours none is written, and all can still be told apart", async () => {
    const { screen, written, type } = sitDown([pdf], { colours: false, rows: 60 });
    await type("\r");
    expect(written.join("")).not.toMatch(/\[[\d;]*3\dm/);
    for (const part of ["- echo old", "+ echo new", "[d diff", "▲ critical run.download", "+ host"])
      expect(screen.text()).toContain(part);
    await type("w");
    expect(screen.looking("0;7")).toContain("\\u{200b}");
  });
});
