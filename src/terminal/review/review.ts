import { takeKeyboard, type Terminal, sizeOf } from "../terminal.ts";
import { type Desk, type Asked, perform } from "./desk.ts";
import { giveUpOn, type Key, nothingHeld, patienceWith, readKeys } from "../keys.ts";
import { createScreen, type Screen } from "./screen.ts";
import { type Effect, start, type State, type Step } from "./state.ts";
import { type Event, update } from "./update.ts";
import { render } from "./views/render.ts";

/** Keys in, frames out, and the desk asked in between. What any of it means is for `update` to say. */
class Session {
  readonly #desk: Desk;
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  readonly #onOver: (fault?: unknown) => void;
  /** What is waited for even when somebody leaves. */
  readonly #unfinished = new Set<Promise<void>>();
  #state: State;
  #held = nothingHeld;
  #chunks = 0;
  #isOver = false;

  constructor(desk: Desk, terminal: Terminal, onOver: (fault?: unknown) => void) {
    this.#desk = desk;
    this.#terminal = terminal;
    this.#screen = createScreen(terminal.output, terminal.colours);
    this.#onOver = onOver;
    this.#state = start(sizeOf(this.#terminal)).state;
  }

  begin(): void {
    this.#screen.open();
    this.#guarded(() => this.#follow(start(sizeOf(this.#terminal))));
  }

  onChunk(chunk: string): void {
    const { keys, held } = readKeys(this.#held, chunk);
    this.#held = held;
    this.#onKeys(keys);
    this.#chunks += 1;
    const patience = patienceWith(held);
    if (patience !== null) void this.#giveUpLater(this.#chunks, patience);
  }

  onResize(): void {
    this.#screen.forget();
    this.#on({ type: "resized", size: sizeOf(this.#terminal) });
  }

  onContinue(): void {
    this.#screen.open();
    // The window may have got another size meanwhile.
    this.onResize();
  }

  leave(): void {
    this.#end();
  }

  /** As it was before. */
  close(): void {
    this.#isOver = true;
    this.#screen.close();
  }

  /** How it ended, once what was being signed is signed or refused. */
  async lastState(): Promise<State> {
    while (this.#unfinished.size > 0) await Promise.all(this.#unfinished);
    return this.#state;
  }

  #onKeys(keys: readonly Key[]): void {
    this.#guarded(() => {
      for (const key of keys) {
        const asked = this.#state.ask;
        this.#follow(update(this.#state, { type: "key", key }), false);
        // RV-5: nobody has answered a question that was not on the screen yet: what came along with it is dropped.
        if (this.#isOver || (isFinal(this.#state) && !isFinal({ ask: asked }))) break;
      }
      this.#draw();
    });
  }

  #on(event: Event): void {
    this.#guarded(() => this.#follow(update(this.#state, event)));
  }

  async #giveUpLater(chunk: number, patience: number): Promise<void> {
    await this.#terminal.timer.after(patience);
    if (chunk !== this.#chunks || this.#isOver) return;
    const { keys, held } = giveUpOn(this.#held);
    this.#held = held;
    this.#onKeys(keys);
  }

  #follow({ state, effects }: Step, draws = true): void {
    this.#state = state;
    for (const effect of effects) this.#do(effect);
    if (draws) this.#draw();
  }

  #do(effect: Effect): void {
    if (effect.kind === "leave") this.#end();
    else if (effect.kind === "redraw") this.#screen.forget();
    else if (!this.#isOver) this.#ask(effect);
    // Somebody left while it was signed: how many are left is still told.
    else if (effect.kind === "queue") this.#ask(effect);
  }

  #ask(asked: Asked): void {
    const answered = perform(this.#desk, asked).then((answer) => this.#on(answer));
    if (!this.#isOver && asked.kind !== "say" && asked.kind !== "clean") return;
    this.#unfinished.add(answered);
    void answered.finally(() => this.#unfinished.delete(answered));
  }

  #draw(): void {
    if (!this.#isOver) this.#screen.draw(render(this.#state));
  }

  /** A fault of ours must not leave the terminal as it is. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (fault) {
      this.#end(fault);
    }
  }

  #end(fault?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver(fault);
  }
}

/** Whether the next key may sign something. */
function isFinal({ ask }: Pick<State, "ask">): boolean {
  return ask?.kind === "confirm" || ask?.kind === "clean";
}

interface Outcome {
  /** Entries that were approved or rejected. */
  readonly decided: number;
  /** Entries that wait still, as far as was last seen. */
  readonly left: number;
}

/**
 * A reviewer's desk on the whole screen of a terminal, until the person leaves. Whatever ends it, the terminal is as it
 * was before; a decision that is just being signed is waited for.
 */
export async function reviewAtTerminal(desk: Desk, terminal: Terminal): Promise<Outcome> {
  const session = await untilOver(desk, terminal);
  const { decided, queue } = await session.lastState();
  return { decided, left: queue === null ? 0 : queue.items.length + queue.more };
}

async function untilOver(desk: Desk, terminal: Terminal): Promise<Session> {
  const { promise, resolve, reject } = promised();
  const session = new Session(desk, terminal, (fault) => (fault === undefined ? resolve() : reject(fault)));
  const stop = takeKeyboard(terminal, session);
  try {
    session.begin();
    await promise;
    return session;
  } finally {
    session.close();
    stop();
  }
}

function promised() {
  let [resolve, reject] = [() => {}, (_fault: unknown) => {}];
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}
