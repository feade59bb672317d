import variant from "@jitl/quickjs-singlefile-mjs-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { longestReply, refusalText } from "../contract/messages.ts";
import { guestProgram } from "./contract-guest.ts";

/** Of Node; its type declarations leave it to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

const page = 65_536;
/** What the engine is built for. */
const leastMemory = 16 * 1024 * 1024;
/** Everything that an engine has, its own data and stack among it: WebAssembly itself gives no more (SC-10). */
const mostMemory = 64 * 1024 * 1024;
/** Less, so that a contract that fills it meets an error of its own and not the end of the engine. */
const mostForContract = 56 * 1024 * 1024;
const mostStack = 512 * 1024;
const gaveUp = refusalText("contract.crashed", "the engine gave up, mostly since something was nested too deeply");

/**
 * One contract in a JavaScript engine of its own, with a memory of its own. The engine has no function of the host but
 * the one that asks whether time is up, and no module but the contract. It is never tidied up: an engine that failed
 * inside cannot be, and the thread ends soon.
 */
export class ContractEngine {
  readonly #context: QuickJSContext;
  readonly #now: () => number;
  readonly #guest: QuickJSHandle;
  #deadline = 0;
  #isLate = false;
  #isBroken = false;

  private constructor(module: QuickJSWASMModule, now: () => number) {
    this.#now = now;
    this.#deadline = Infinity;
    const runtime = module.newRuntime({
      memoryLimitBytes: mostForContract,
      maxStackSizeBytes: mostStack,
      interruptHandler: () => this.#isTimeUp(),
    });
    this.#context = runtime.newContext();
    this.#guest = this.#context.unwrapResult(this.#context.evalCode(guestProgram, "guest.js", { type: "global" }));
  }

  static async create(now: () => number): Promise<ContractEngine> {
    return new ContractEngine(await loadModule(), now);
  }

  #isTimeUp(): boolean {
    this.#isLate = this.#now() > this.#deadline;
    return this.#isLate;
  }

  /** Evaluates the module and reads what it declares. */
  open(code: string, facts: string, milliseconds: number): string {
    // Taken before the contract runs: afterwards the names may stand for something else.
    return this.#within(milliseconds, () => {
      const [read, unreadable] = [this.#function("read"), this.#function("unreadable")];
      const evaluated = this.#context.evalCode(code, "contract.js", { type: "module" });
      if (!evaluated.error) return this.#call(read, evaluated.value, this.#context.newString(facts));
      return this.#isLate ? evaluated : this.#call(unreadable, evaluated.error);
    });
  }

  ask(predicate: number, milliseconds: number): string {
    return this.#within(milliseconds, () => this.#call(this.#function("ask"), this.#context.newNumber(predicate)));
  }

  #function(name: string): QuickJSHandle {
    return this.#context.getProp(this.#guest, name);
  }

  #call(callee: QuickJSHandle, ...given: QuickJSHandle[]): Result {
    return this.#context.callFunction(callee, this.#context.undefined, ...given);
  }

  #within(milliseconds: number, act: () => Result): string {
    if (this.#isBroken) return gaveUp;
    this.#deadline = this.#now() + milliseconds;
    this.#isLate = false;
    try {
      const result = act();
      // It asks only now and then: one long step of its own may have gone by unasked.
      this.#isTimeUp();
      return this.#textOf(result);
    } catch {
      // Not an error of the contract's but of the engine, whose state is unknown from here on.
      this.#isBroken = true;
      return gaveUp;
    }
  }

  /** Looks at nothing of an error: that could run what the contract left there. */
  #textOf({ value, error }: { value?: QuickJSHandle | undefined; error?: QuickJSHandle | undefined }): string {
    if (this.#isLate) return refusalText("contract.timeout", "it took longer than it may");
    if (error || !value) return refusalText("contract.memory", "it used up its memory");
    const isText = this.#context.typeof(value) === "string";
    const length = isText ? this.#context.getNumber(this.#context.getProp(value, "length")) : Infinity;
    if (length > longestReply) return refusalText("contract.reply", "its answer is too much");
    return this.#context.getString(value);
  }
}

type Result = ReturnType<QuickJSContext["callFunction"]>;

function loadModule(): Promise<QuickJSWASMModule> {
  const emscriptenModule = {
    wasmMemory: new WebAssembly.Memory({ initial: leastMemory / page, maximum: mostMemory / page }),
    // By itself the engine tells the console when it gives up.
    print: () => {},
    printErr: () => {},
  };
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { emscriptenModule }));
}
