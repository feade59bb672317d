/**
 * What a room keeps. `read` sees what is committed. A transaction is all or nothing, and there is one writer at a
 * time: what it has read stays true until it ends, on every engine and across processes.
 */
export interface Kept<Reads, Writes extends Reads> {
  readonly read: Reads;
  transaction<Result>(act: (port: Writes) => Promise<Result>): Promise<Result>;
}
