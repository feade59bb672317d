import { describe, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { completionOf } from "./complete.ts";

const complete = (...words: string[]) => {
  const { words: offered, paths } = completionOf(words, commands);
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
  ])("%j offers %j", (words, offered, paths) => {
    expect(complete(...words)).toEqual({ offered, paths });
  });
});
