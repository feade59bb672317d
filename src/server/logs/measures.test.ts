import { describe, expect, test } from "vitest";
import { AppError } from "../../core/error.ts";
import { mcpCounter, signInCounter } from "./measures.ts";
import { Metrics } from "./metrics.ts";

const seriesOf = (metrics: Metrics) =>
  metrics
    .render()
    .split("\n")
    .filter((line) => line.includes("{"));

describe("SV-8: what is counted of hosts and of people", () => {
  test("SV-5: requests of MCP by words of ours; whatever a host calls something is one more", () => {
    const metrics = new Metrics();
    const count = mcpCounter(metrics);
    count("resources/read", undefined);
    count("tools/call", "load_skill");
    for (const tool of ["made up by a model", 7, undefined, "tools/call"]) count("tools/call", tool);
    // A tool is not asked for by its name alone.
    count("made up by a host", "load_skill");
    expect(seriesOf(metrics)).toEqual([
      'skillward_mcp_requests_total{asked="load_skill"} 1',
      'skillward_mcp_requests_total{asked="other"} 5',
      'skillward_mcp_requests_total{asked="resources/read"} 1',
    ]);
  });

  test("T38: sign-ins by how they end, and what they end with is handed on", async () => {
    const metrics = new Metrics();
    const counted = signInCounter(metrics);
    expect(await counted("password", async () => "secret")).toBe("secret");
    for (const code of ["auth.failed", "auth.forbidden", "request.too-many", "store.failed"] as const) {
      const error = new AppError(code, "no");
      await expect(counted("password", () => Promise.reject(error))).rejects.toBe(error);
    }
    await expect(counted("proxy", () => Promise.reject(new TypeError("broken")))).rejects.toThrow("broken");
    expect(seriesOf(metrics)).toEqual([
      'skillward_sign_ins_total{way="password",result="failed"} 1',
      'skillward_sign_ins_total{way="password",result="ok"} 1',
      'skillward_sign_ins_total{way="password",result="refused"} 2',
      'skillward_sign_ins_total{way="password",result="too-many"} 1',
      'skillward_sign_ins_total{way="proxy",result="failed"} 1',
    ]);
  });
});
