/** How far somebody who tells others of the audit chain has come in it (SV-11). One row, however long they cannot be told. */
export interface Reader {
  readonly name: string;
  /** The last record that is done with. */
  readonly seq: number;
  /** Nobody goes on before this, in milliseconds since the epoch: a node is at it, or it failed. */
  readonly dueAt: number;
  /** How often it failed since it last got on. */
  readonly attempts: number;
  /** What the reader itself wanted to know again. */
  readonly note: string;
}

/** When a reader is due: when its time has come, or is further away than anybody waits. Then a clock was ahead that wrote it. */
export interface Due {
  readonly now: number;
  readonly latest: number;
}

export function isDue({ dueAt }: Reader, { now, latest }: Due): boolean {
  return dueAt <= now || dueAt > latest;
}

export interface ReaderReads {
  findReader(name: string): Promise<Reader | undefined>;
}

export interface ReaderWrites extends ReaderReads {
  /** Adds the reader, or replaces the one of that name as a whole. */
  putReader(reader: Reader): Promise<void>;
  /** The reader when it is due, from now on due at `until`; undefined when it is not, or another node is at it. */
  claimReader(name: string, due: Due, until: number): Promise<Reader | undefined>;
}
