/** Everything that is bounded about serving MCP over HTTP (T41). */
export interface McpBounds {
  /** Of one message. */
  readonly messageBytes: number;
  /** Objects, lists, members and elements in it: reading more would keep everybody else on the node waiting. */
  readonly messageValues: number;
  /** Sessions of one principal; the one unused for longest gives way to a new one. */
  readonly sessionsEach: number;
  /** Sessions of all. */
  readonly sessions: number;
  /** How long a session lasts that nothing is asked in. */
  readonly idleMs: number;
  /** Streams of one principal that are open to be told of changes, beside those of its sessions. */
  readonly streamsEach: number;
}

export const mcpBounds: McpBounds = {
  messageBytes: 2 ** 20,
  messageValues: 20_000,
  sessionsEach: 32,
  sessions: 2000,
  idleMs: 30 * 60_000,
  streamsEach: 32,
};
