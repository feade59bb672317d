import { type Digest, sha256 } from "../../core/digest.ts";
import type { Clock, Randomness, Timer } from "../../core/world.ts";
import { TooMany } from "../../features/http/statuses.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import type { Wire } from "../door.ts";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

/** Whoever opened a session, and nobody else, may go on with it. */
export interface Holder {
  /** The name that bounds are counted by. */
  readonly principal: string;
  /** Of the very key, and of what it may. */
  readonly mark: Digest;
}

/** A conversation with a host whose protocol has sessions: 2025-11-25 and before. */
export interface Session {
  readonly id: string;
  readonly holder: Holder;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** What its host knows of. */
  seen: Digest;
  usedAt: number;
  /** Requests that are being answered, an open stream among them. */
  running: number;
  /** The ids of those: an answer is told from another by nothing else. */
  readonly asked: Set<string | number>;
}

interface Around {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Randomness;
  readonly bounds: McpBounds;
  /** Told how many there are whenever that changes. */
  readonly onCount: (count: number) => void;
}

/** How often sessions that nobody uses are looked for. */
const lookEvery = 60_000;

/** T36, T41: every session of this node; bound to its holder, bounded in number, ended when it is not used. */
export class Sessions {
  readonly #around: Around;
  readonly #sessions = new Map<string, Session>();
  readonly #looking: { stop(): void };

  constructor(around: Around) {
    this.#around = around;
    this.#looking = around.timer.every(lookEvery, () => this.#endIdle());
  }

  /** A new one. It is there once its first message was understood: until then `transport.sessionId` is undefined. */
  async open(holder: Holder, server: McpServer, seen: Digest): Promise<Session> {
    this.#makeRoom(holder);
    const { random, clock } = this.#around;
    const id = Buffer.from(random.bytes(24)).toString("hex");
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#keep(session),
    });
    const session: Session = { id, holder, server, transport, seen, usedAt: clock.now(), running: 0, asked: new Set() };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- no target of events: the SDK has this one place
    transport.onclose = () => this.#forget(id);
    await server.connect(transport);
    return session;
  }

  /** One that this holder opened; undefined for any other, whether it is there or not. */
  find(id: string, { mark }: Holder): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.holder.mark === mark ? session : undefined;
  }

  /** Counts one more request until it is said to be over. `id`: its own, if an answer is expected. */
  use(session: Session, id?: string | number): () => void {
    session.running++;
    if (id !== undefined) session.asked.add(id);
    return () => {
      session.running--;
      if (id !== undefined) session.asked.delete(id);
      session.usedAt = this.#around.clock.now();
    };
  }

  #keep(session: Session): void {
    this.#sessions.set(session.id, session);
    this.#around.onCount(this.#sessions.size);
  }

  #forget(id: string): void {
    if (this.#sessions.delete(id)) this.#around.onCount(this.#sessions.size);
  }

  /** A host that went away without a word leaves its session behind: the next one takes its place. */
  #makeRoom({ principal }: Holder): void {
    const { sessionsEach, sessions } = this.#around.bounds;
    const own = [...this.#sessions.values()].filter(({ holder }) => holder.principal === principal);
    const [longest] = own.toSorted((a, b) => Math.sign(a.running) - Math.sign(b.running) || a.usedAt - b.usedAt);
    if (longest !== undefined && own.length >= sessionsEach) this.#end(longest);
    if (this.#sessions.size >= sessions)
      throw new TooMany("this node has as many MCP sessions as it may; ask again later", 60);
  }

  #endIdle(): void {
    const { clock, bounds } = this.#around;
    for (const session of this.#sessions.values())
      if (session.running === 0 && clock.now() - session.usedAt >= bounds.idleMs) this.#end(session);
  }

  /** Gone at once; its streams are closed behind it. */
  #end({ id, server }: Session): void {
    this.#forget(id);
    void server.close();
  }

  close(): void {
    this.#looking.stop();
    for (const session of this.#sessions.values()) this.#end(session);
  }
}

/** Who a session belongs to: this very key, with exactly what it may. Another key of the same user is somebody else. */
export function holderOf({ incoming }: Pick<Wire["Bindings"], "incoming">, person: Person): Holder {
  const { name, role, configurations } = person;
  const shown = [incoming.headersDistinct["authorization"] ?? [], incoming.headersDistinct["x-api-key"] ?? []];
  return { principal: name, mark: sha256(Buffer.from(JSON.stringify([shown, name, role, configurations]))) };
}

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
