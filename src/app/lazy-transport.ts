import type { Transport } from "../base/transport.ts";

type ClosableTransport = Transport & { close(): Promise<void> };

/** A way out that is opened at its first use: most commands never send anything, and load nothing for it. */
export class LazyTransport {
  readonly #open: () => Promise<ClosableTransport>;
  #opened: Promise<ClosableTransport> | undefined;

  constructor(open: () => Promise<ClosableTransport>) {
    this.#open = open;
  }

  get(): Promise<Transport> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}
