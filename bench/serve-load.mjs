/** Loads for running nodes, and what came of them. */
import { Pool } from "undici";

const json = { "content-type": "application/json" };

/** What is asked of a node: each gives one request, and says whether an answer is whole. */
export function createLoads({ key, entry }) {
  const own = { authorization: `Bearer ${key}` };
  const chat = JSON.stringify({ model: "bench", messages: [{ role: "user", content: "How long do I boil an egg?" }] });
  const params = { name: "load_skill", arguments: { skill: entry } };
  let calls = 0;
  // Requests of one session are told apart by their ids.
  const call = () => JSON.stringify({ jsonrpc: "2.0", id: ++calls, method: "tools/call", params });
  return {
    "API: a list of 100": {
      method: "GET",
      path: "/api/skills?limit=100",
      headers: own,
      isWhole: (text) => text.endsWith("}"),
    },
    "API: nothing new (304)": {
      method: "GET",
      path: "/api/skills?limit=100",
      headers: own,
      isConditional: true,
      isWhole: (text) => text === "",
    },
    "gateway: a chat with 3 skills": {
      method: "POST",
      path: "/v1/chat/completions",
      headers: { ...own, ...json },
      body: () => chat,
      isWhole: (text) => text.includes("skillward:end"),
    },
    "MCP: load a skill": {
      method: "POST",
      path: "/mcp",
      headers: { ...own, ...json, accept: "application/json, text/event-stream" },
      body: call,
      isMcp: true,
      isWhole: (text) => text.includes("skillward:end"),
    },
  };
}

/** Connections to every node in turn, with what a load needs before its first request. */
export async function openLoad(nodes, load, width) {
  const ends = [];
  for (const { url } of nodes) {
    const pool = new Pool(url, { connections: width });
    ends.push({ pool, headers: { ...load.headers, ...(await preparedHeaders(pool, load)) } });
  }
  return { ends, load, close: () => Promise.all(ends.map(({ pool }) => pool.close())) };
}

async function preparedHeaders(pool, { isConditional = false, isMcp = false, ...load }) {
  if (isConditional) {
    const { headers, body } = await ask(pool, load);
    await body.dump();
    return { "if-none-match": headers.etag };
  }
  if (!isMcp) return {};
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const begin = { jsonrpc: "2.0", id: 0, method: "initialize", params };
  const { headers, body } = await pool.request({ ...load, body: JSON.stringify(begin) });
  await body.dump();
  const session = { "mcp-session-id": headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18" };
  const noted = { jsonrpc: "2.0", method: "notifications/initialized" };
  await (
    await pool.request({ ...load, headers: { ...load.headers, ...session }, body: JSON.stringify(noted) })
  ).body.dump();
  return session;
}

/**
 * Requests for so many milliseconds, `width` at a time, or at most `perSecond` of them. An answer that is not whole is an
 * error, and counted as one.
 */
export async function run({ ends, load }, { width, milliseconds, perSecond = Number.POSITIVE_INFINITY }) {
  const times = [];
  const errors = new Map();
  const start = performance.now();
  const until = start + milliseconds;
  let begun = 0;
  const work = async () => {
    while (performance.now() < until) {
      const { pool, headers } = ends[begun++ % ends.length];
      const due = start + (begun * 1000) / perSecond;
      if (due > performance.now()) await new Promise((resolve) => void setTimeout(resolve, due - performance.now()));
      const began = performance.now();
      const fault = await faultOf(pool, { ...load, headers });
      if (fault === undefined) times.push(performance.now() - began);
      else errors.set(fault, (errors.get(fault) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const seconds = (performance.now() - start) / 1000;
  return { times, errors, perSecond: times.length / seconds };
}

/** One request of a load. */
export function ask(pool, { method, path, headers, body }) {
  return pool.request({ method, path, headers, body: body?.() });
}

async function faultOf(pool, { isWhole, ...load }) {
  try {
    const answer = await ask(pool, load);
    const text = await answer.body.text();
    const isFine = answer.statusCode === 200 || answer.statusCode === 304;
    return isFine && isWhole(text) ? undefined : `${answer.statusCode} ${text.slice(0, 80)}`;
  } catch (error) {
    return String(error.code ?? error.message);
  }
}

export function at(times, part) {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}
