import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiRoom, openApiRoom } from "../support/api-room.ts";
import { approveSkills, done } from "../support/api-use.ts";

let room: ApiRoom;
beforeAll(async () => {
  room = await openApiRoom();
  room.folder.write("skills/git/scope.yaml", 'allowed_tools: ["Bash(git:*)", Read]\nexecution_protocol: [look]\n');
  room.folder.write(
    "skills/reading/scope.yaml",
    "allowed_tools: [Read, Write]\nforbidden_tools: [WebFetch]\nexecution_protocol: [look]\n",
  );
  await approveSkills(room, { git: "Use git.\n", reading: "Read.\n" });
});
afterAll(() => room.close());

describe("SC-3: scopes through the API", () => {
  test("SC-3: what a set leaves, and why each other tool is denied, as the command says it", async () => {
    const view = await done(room, "POST", "/api/scopes/compose", {
      skills: ["git", "skills:reading"],
      tools: ["Read", "Bash", "WebFetch"],
    });
    expect(view).toMatchObject({
      skills: ["git", "reading"],
      forbidden: expect.arrayContaining([expect.stringMatching(/web/i)]),
    });
    const decisions = Object.fromEntries(
      view.tools.map(({ name, decision }: { name: string; decision: string }) => [name.toLowerCase(), decision]),
    );
    expect(decisions).toEqual({ read: "allow", bash: "deny", webfetch: "deny" });
    for (const { why } of view.tools) expect(why).not.toBe("");
  });

  test("SC-4: a set that cannot be used says why; nothing is thrown", async () => {
    const view = await done(room, "POST", "/api/scopes/compose", { skills: ["git", "nobody"] });
    expect(view.findings[0]).toMatchObject({ skill: "nobody", reason: expect.any(String) });
    expect(view.tools.every(({ decision }: { decision: string }) => decision === "deny")).toBe(true);
  });

  test("SC-7: what the gate says to one call", async () => {
    const explain = (call: string) => done(room, "POST", "/api/scopes/explain", { skills: ["git"], call });
    expect(await explain("Bash(git log 'a b')")).toMatchObject({ decision: "allow", argv: ["git", "log", "a b"] });
    expect(await explain("Bash(git status; rm -rf /)")).toMatchObject({ decision: "deny", code: "TOOL_NOT_ALLOWED" });
    const refused = await room.call("POST", "/api/scopes/explain", { json: { skills: ["git"], call: "" } });
    expect(refused.status).toBe(400);
    const tools = await room.call("POST", "/api/scopes/compose", { json: { skills: ["git"], tools: ["not a tool("] } });
    expect([tools.status, tools.json().detail]).toEqual([400, expect.stringContaining("tools: expected names")]);
  });
});
