import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/app/config/config-file.ts";
import { providerLimits } from "../../src/net/limits.ts";
import { serverBounds } from "../../src/server/guard/bounds.ts";
import { gatewayRoutes } from "../../src/server/gateway/asked.ts";
import { statuses, stopping } from "../../src/features/http/statuses.ts";
import { fenced, sectionOf, stepsOf } from "../support/page.ts";
import { startWalk } from "../support/walk.ts";

const page = readFileSync("docs/gateway.md", "utf8");

describe("docs/gateway.md", () => {
  test("SV-1, CO-15, CO-17: each command does what the page says, and prints what it shows", async () => {
    const walk = await startWalk();
    onTestFinished(() => walk.end());
    for (const step of stepsOf(page)) {
      const shown = step.kind === "text" || step.kind === "http" ? step.text : "";
      expect(await walk.take(step)).toBe(shown);
    }
    expect(walk.asked()).toEqual({ openai: 3, anthropic: 1 });
  });

  test("CO-15: has every path of the gateway, with its protocol and whether anything is injected", () => {
    const rows = rowsOf(sectionOf(page, "What is asked for, and where it goes")).filter(([path]) =>
      path?.startsWith("`/"),
    );
    expect(rows.map(([path, protocol, skills]) => [path, protocol, skills === "never"])).toEqual(
      gatewayRoutes.map(({ path, speech, shape }) => [
        `\`${path}\``,
        speech === "openai" ? "OpenAI" : "Anthropic",
        shape === null,
      ]),
    );
  });

  test("CO-16: has the true status of every failure it names", () => {
    const rows = rowsOf(sectionOf(page, "When something fails")).filter(([status]) => /^\d+$/.test(status ?? ""));
    const known: Readonly<Record<string, number>> = { ...statuses, internal: 500, stopping: stopping.status };
    const shown = rows.map(([status, code = ""]) => [code, Number(status)]);
    expect(shown.length).toBeGreaterThan(15);
    expect(shown).toEqual(shown.map(([code]) => [code, known[String(code).replaceAll("`", "")]]));
  });

  test("invariant 6: has every finding of composing and injecting, with its level", () => {
    const found = /"((?:compose|inject)\.[a-z-]+)"(?:: |,\s+(?:level: )?)"(info|low|medium|high|critical)"/g;
    const said = composing().flatMap((source) =>
      [...source.matchAll(found)].map(([, code, level]) => `\`${code}\` ${level}`),
    );
    const rows = rowsOf(sectionOf(page, "When something fails")).filter(([code]) =>
      /^`(?:compose|inject)\./.test(code ?? ""),
    );
    expect(rows.map(([code, level]) => `${code} ${level}`).toSorted()).toEqual([...new Set(said)].toSorted());
  });

  test("T41: has the true limits", () => {
    const { gateway } = parseConfig("", "").config;
    const { headerBytes, headersMs, requestMs, connections, idleMs, graceMs, failuresPerMinute } = serverBounds;
    const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
    const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`;
    const number = (count: number) => count.toLocaleString("en");
    expect(rowsOf(sectionOf(page, "Limits")).map(([, bound]) => bound)).toEqual([
      mebibytes(gateway.bodyBytes),
      number(gateway.requestsPerMinute),
      number(gateway.concurrent),
      `${failuresPerMinute}, then 429; right keys go on`,
      `${headerBytes / 1024} KiB, within ${seconds(headersMs)}`,
      `within ${seconds(requestMs)}`,
      `${number(connections)}; ${seconds(idleMs)} until the next request on one`,
      `${gateway.connectSeconds} seconds`,
      `${gateway.headersSeconds} seconds`,
      `${gateway.idleSeconds} seconds`,
      `${providerLimits.total === 3_600_000 ? "one hour" : ""}, or the two before together; ${mebibytes(providerLimits.body)}`,
      seconds(graceMs),
    ]);
  });

  test("SV-1: its pieces of a configuration file are valid", () => {
    const pieces = fenced(page, "yaml");
    expect(pieces.length).toBeGreaterThan(0);
    for (const piece of pieces) expect(parseConfig(piece, "").findings).toEqual([]);
  });
});

/** The rows of all tables, without their headings. */
function rowsOf(section: string): string[][] {
  const cells = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const lines = section.split("\n");
  return lines.flatMap((line, at) =>
    line.startsWith("| ") && lines[at + 1]?.startsWith("|--") !== true ? [cells(line)] : [],
  );
}

/** The sources that can say something about a composition. */
function composing(): string[] {
  const folder = "src/compose";
  const names = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));
  return [...names.map((name) => join(folder, name)), "src/server/gateway/injecting.ts"].map((path) =>
    readFileSync(path, "utf8"),
  );
}
