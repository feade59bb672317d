import { call, type Reply } from "../support/http-serving.ts";

interface Visit {
  readonly json?: unknown;
  readonly body?: string;
  readonly key?: string;
  /** Instead of what a browser would send with it; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

/** A page of ours in a browser: keeps the cookie, sends the token, says where it comes from. */
export class Browser {
  /** `name=value`, as it was set last. */
  cookie: string | undefined;
  token: string | null = null;
  readonly #server: { readonly port: number };
  readonly #origin: string;

  constructor(server: { readonly port: number }, origin = `http://localhost:${server.port}`) {
    this.#server = server;
    this.#origin = origin;
  }

  /** Another one that has got hold of the same cookie and token. */
  copy(): Browser {
    return Object.assign(new Browser(this.#server, this.#origin), { cookie: this.cookie, token: this.token });
  }

  async call(method: string, path: string, { json, body, key, headers = {} }: Visit = {}): Promise<Reply> {
    const usual = {
      host: new URL(this.#origin).host,
      "sec-fetch-site": "same-origin",
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...(method === "GET" ? {} : { origin: this.#origin }),
      ...(method === "GET" || this.token === null ? {} : { "x-skillward-token": this.token }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
    const reply = await call(this.#server, path, {
      method,
      headers: Object.fromEntries(sent),
      ...(key === undefined ? {} : { key }),
      ...(json === undefined ? {} : { json }),
      ...(body === undefined ? {} : { body }),
    });
    this.#keep(reply);
    return reply;
  }

  /** Signs in, and demands that it worked. */
  async signIn(name: string, password: string): Promise<Reply> {
    const reply = await this.call("POST", "/api/session", { json: { name, password } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply;
  }

  /** The name of whoever is signed in here; null: nobody. */
  async whoami(): Promise<string | null> {
    return (await this.call("GET", "/api/session")).json().person?.name ?? null;
  }

  #keep({ status, headers, text }: Reply): void {
    const [set] = headers["set-cookie"] ?? [];
    if (set !== undefined) this.cookie = set.includes("Max-Age=0") ? undefined : set.split(";", 1)[0];
    const view =
      status === 200 && text.includes('"token":') ? (JSON.parse(text) as { token: string | null }) : undefined;
    if (view !== undefined) this.token = view.token;
  }
}
