import { describe, expect, test } from "vitest";
import { isGroup } from "../features/command/command.ts";
import { commands, loadCommands } from "./commands.ts";
import { completionOf } from "./complete.ts";

const complete = async (...words: string[]) => {
  const { words: offered, paths } = await completionOf(words);
  return { offered: offered.map(({ word }) => word), paths };
};

describe("completion", () => {
  test.each([
    [[""], commands.map(({ name }) => name), false],
    [["val"], ["validate"], false],
    [["validate", ""], [], true],
    [["validate", "exa"], [], true],
    [["validate", "--"], ["--profile", "--json"], false],
    [["validate", "--profile", ""], ["workspace", "ingest", "strict", "registry"], false],
    [["validate", "--profile", "st"], ["strict"], false],
    [["validate", "--profile=st"], ["strict"], false],
    [["validate", "--profile", "=", "st"], ["strict"], false],
    [["validate", "--profile", "="], ["workspace", "ingest", "strict", "registry"], false],
    [["schema", "--dir", ""], [], true],
    [["completion", "z"], ["zsh"], false],
    [["nonsense", ""], [], false],
    [["source", ""], ["add", "list", "show", "set", "sync", "remove"], false],
    [["source", "s"], ["show", "set", "sync"], false],
    [["source", "nonsense", ""], [], false],
    [["source", "add", ""], [], true],
    [["source", "add", "skills", ""], [], false],
    [["source", "add", "skills", "--trust", "v"], ["verified"], false],
    [["source", "add", "skills", "--title", ""], [], false],
    [["source", "show", ""], [], false],
    [["skill", "list", "--state", "e"], ["enabled"], false],
    [["skill", "list", "--config", ""], [], true],
    [["review", "--app"], ["--approve", "--approve-clean"], false],
    [["block", "add", ""], ["digest", "entry", "source", "repository"], false],
    [["block", "add", "--reason", "why", "e"], ["entry"], false],
    [["block", "add", "entry", ""], [], false],
  ])("%j offers %j", async (words, offered, paths) => {
    expect(await complete(...words)).toEqual({ offered, paths });
  });
});

test("the table says of each command what the command says of itself", async () => {
  const loaded = await loadCommands();
  expect(commands.map(({ name, about }) => ({ name, about }))).toEqual(
    loaded.map(({ name, about }) => ({ name, about })),
  );
  expect(commands.map(({ takes }) => takes)).toEqual(
    loaded.map((each) => (isGroup(each) ? undefined : each.arguments.map(({ form }) => form).join(" "))),
  );
});
