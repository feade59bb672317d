import type { McpServer, Resource } from "@modelcontextprotocol/server";
import { type Skill, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { safeLine } from "../../base/text.ts";
import type { Log } from "../log.ts";
import type { Page } from "./cursor.ts";
import { answering } from "./refusals.ts";
import type { FileContent, SkillSource } from "./skill-source.ts";

/** Nobody keeps an answer: what was approved a moment ago may have been taken back. */
const cacheHint = { ttlMs: 0, cacheScope: "private" } as const;

/**
 * SV-5: the extension `io.modelcontextprotocol/skills` on a server that is not connected yet. How it is put there is
 * experimental in the SDK; nothing else here knows of it.
 */
export function attachSkills(mcp: McpServer, source: SkillSource, log: Log): void {
  const extension = new SkillsExtension({
    cacheHint,
    onWarning: ({ path, message }) =>
      log.note("mcp.left-out", { entry: safeLine(path, 240), message: safeLine(message, 400) }),
    source: {
      list: ({ cursor }) => answering(log, async () => skillsIn(await source.list(cursor))),
      get: (uri) => answering(log, () => source.get(uri)),
      read: (uri) => answering(log, () => source.read(uri)),
      readDirectory: (uri, { cursor }) =>
        answering(log, async () => {
          const page = await source.readDirectory(uri, cursor);
          return page && resourcesIn(page);
        }),
    },
  });
  extension.attach(mcp);
  readAsWritten(mcp, source, log);
}

/**
 * In place of the SDK's own two: it would list all resources at once, and resolve `..` in a URI before anybody sees it.
 */
function readAsWritten({ server }: McpServer, source: SkillSource, log: Log): void {
  server.setRequestHandler("resources/list", ({ params }) =>
    answering(log, async () => resourcesIn(await source.listResources(params?.cursor))),
  );
  server.setRequestHandler("resources/read", ({ params }) =>
    answering(log, async () => ({ contents: [contentsOf(await source.read(params.uri))] })),
  );
}

function skillsIn({ items, ...rest }: Page<Skill>) {
  return { skills: [...items], ...rest };
}

function resourcesIn({ items, ...rest }: Page<Resource>) {
  return { resources: [...items], ...rest };
}

function contentsOf(file: FileContent) {
  const { uri, mimeType } = file;
  if ("text" in file) return { uri, mimeType, text: file.text };
  return { uri, mimeType, blob: Buffer.from(file.bytes).toString("base64") };
}
