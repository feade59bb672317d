import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { variables } from "../../src/app/config/config.ts";
import { configKeys } from "../../src/app/config/config-keys.ts";
import { there } from "../../src/app/standby/standing.ts";
import { type Command, isGroup } from "../../src/features/command/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { storeMeasures } from "../../src/server/http/health.ts";
import { Metrics } from "../../src/server/logs/metrics.ts";

const commands = await loadCommands();

const page = readFileSync("docs/operations.md", "utf8");
const unit = readFileSync("deploy/skillward.service", "utf8");
const image = readFileSync("deploy/Containerfile", "utf8");

/** Every command line of Skillward in a text, without what stands before it. */
function typed(text: string): string[] {
  const lines = [...text.matchAll(/^(?:[^\n#`]* )?skillward ([a-z][^\n#]*)$/gm)].map(([, line = ""]) => line.trim());
  return lines.filter((line) => commands.some(({ name }) => name === line.split(" ")[0]));
}

function commandOf(words: readonly string[]): Command | undefined {
  const found = commands.find(({ name }) => name === words[0]);
  if (found === undefined || !isGroup(found)) return found;
  return found.commands.find(({ name }) => name === words[1]);
}

describe("docs/operations.md and deploy/", () => {
  test("SV-9: name no command and no option that is not there", () => {
    const fenced = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? "").join("");
    const cmd: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? "[]");
    const lines = [...typed(fenced), ...typed(unit.replace("ExecStart=/usr/bin/env ", "")), cmd.join(" ")];
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) {
      const words = line.split(/\s+/);
      const command = commandOf(words);
      const flags = words.filter((word) => word.startsWith("--"));
      const known = command?.options.flatMap((option) => option.flags.split(/[ ,]+/)) ?? [];
      expect([line, command !== undefined, flags.filter((flag) => !known.includes(flag))]).toEqual([line, true, []]);
    }
  });

  test("name no variable and no key of the configuration that is not there", () => {
    const named = [...`${page}${unit}${image}`.matchAll(/SKILLWARD_[A-Z_]*[A-Z]/g)].map(([name]) => name);
    expect(named.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
    const paths = new Set<string>(configKeys.map(({ path }) => path));
    const keys = [...page.matchAll(/`((?:degraded|serve|sync|usage|telemetry|gateway)\.[a-z-]+)/g)].map(
      ([, key]) => key,
    );
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !paths.has(key ?? ""))).toEqual([]);
  });

  test("SV-7: have every figure about the store", async () => {
    const metrics = new Metrics();
    await storeMeasures({ standing: () => there, generation: async () => 1 }, metrics)();
    const names = [...metrics.render().matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? "");
    expect(names).toContain("skillward_degraded");
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test("the image and the unit run as nobody special, and keep their files to themselves", () => {
    expect(image).toMatch(/^USER node$/m);
    expect(image).not.toMatch(/^USER root|--privileged/m);
    for (const setting of ["User=skillward", "NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077"])
      expect(unit.split("\n")).toContain(setting);
  });
});
