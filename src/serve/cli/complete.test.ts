import { describe, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { completionOf } from "./complete.ts";

const complete = (...words: string[]) => {
  const { words: offered, paths } = completionOf(words, commands);
  return { offered: offered.map(({ word }) => word), paths };
};

describe("completion", () => {
  test.each([
    [[""], ["validate", "schema", "completion"], false],
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
  ])("%j offers %j", (words, offered, paths) => {
    expect(complete(...words)).toEqual({ offered, paths });
  });
});
