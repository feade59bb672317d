import { describe, expect, it } from "vitest";
import { longestLine, parseLine, writeInvocation } from "./parse-line.ts";

const invocation = (names: readonly string[], args = "") => ({ is: "invocation", names, args });

describe("AG-5: what a line is", () => {
  it.each([
    ["hello", "hello"],
    ["  hello /help ", "hello /help"],
    ["/usr/bin/x is broken", "/usr/bin/x is broken"],
    ["// a comment", "// a comment"],
    ["/skills/tidy", "/skills/tidy"],
    ["a\n/help", "a\n/help"],
  ])("%j is a message", (line, text) => {
    expect(parseLine(line)).toEqual({ is: "message", text });
  });

  it.each([
    ["/help", "/help", ""],
    ["  /route  fix the build  ", "/route", "fix the build"],
    ["/route\nfix a/b", "/route", "fix a/b"],
    ["/skills trust a", "/skills", "trust a"],
    ["/HELP", "/HELP", ""],
    ["/", "/", ""],
  ])("%j is a command", (line, name, rest) => {
    expect(parseLine(line)).toEqual({ is: "command", name, rest });
  });

  it.each([
    ["/skills:a", invocation(["a"])],
    [" /skills:a some  text ", invocation(["a"], "some  text")],
    ["/skills:a /skills:b text", invocation(["a", "b"], "text")],
    ["/skills:a\n/skills:b\ntext", invocation(["a", "b"], "text")],
    ["/skills:a text /skills:b", invocation(["a"], "text /skills:b")],
    ['/skills:"my skill" args', invocation(["my skill"], "args")],
    ['/skills:"my skill" /skills:"a \\"b\\" \\\\"', invocation(["my skill", 'a "b" \\'])],
    ["/skills:project/x", invocation(["project/x"])],
    ["/skills:project:tools/x y", invocation(["project:tools/x"], "y")],
    ['/skills:it"s', invocation(['it"s'])],
  ])("%j invokes", (line, read) => {
    expect(parseLine(line)).toEqual(read);
  });

  it.each([
    ["/skills:", "wants the name of a skill"],
    ["/skills: a", "wants the name of a skill"],
    ["/skills:a /skills:", "wants the name of a skill"],
    ['/skills:"my skill', "ends with a quote"],
    ['/skills:"my skill"x', "ends with a quote"],
    ['/skills:""', "ends with a quote"],
    ["  ", "empty"],
    ["/skills:a ".repeat(33), "more than 32"],
    ["é".repeat(longestLine / 2 + 1), "longer than"],
  ])("%.40j is neither", (line, why) => {
    expect(parseLine(line)).toEqual({ is: "fault", why: expect.stringContaining(why) });
  });

  it.each(["tidy", "my skill", 'say "hi"', '"quoted"', "back\\slash and blank", "project:a b/c"])(
    "a skill named %j is reached as it is written",
    (name) => {
      expect(parseLine(`${writeInvocation(name)} text`)).toEqual(invocation([name], "text"));
    },
  );

  it("T26: a line as long as may be is read in one go", () => {
    expect(parseLine(`/skills:"${"\\a".repeat(longestLine / 2 - 10)}`).is).toBe("fault");
    expect(parseLine(`/skills:a ${" ".repeat(longestLine - 20)}x`)).toEqual(invocation(["a"], "x"));
    expect(parseLine("/".repeat(longestLine)).is).toBe("message");
  });
});
