import type { App } from "../../app/app.ts";
import { AppError } from "../../core/error.ts";
import { safeLine } from "../../core/text.ts";
import type { ApiRequest, ApiRoutes, ReadRoute, RouteDescription, WriteRoute } from "../../features/http/api-routes.ts";
import { pathParameters, problem } from "../../features/http/words.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { type Door, type Exchange, personOf, type Wire } from "../door.ts";
import { isKnown, tagOf, sendJson } from "../send.ts";
import { routes } from "../routes.ts";
import { boundsOfBody, readJson, shownFaults } from "./json-body.ts";
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";

/** What is said of a route beside its schemas. */
interface Sending {
  readonly type?: string;
  /** What it answers beside the usual and the problem, by the status. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly schema?: z.ZodType }>>;
}

/** The same with both ends of the connection, for what is about the browser itself. */
export interface Question<Query = unknown> extends ApiRequest<Query> {
  readonly exchange: Exchange;
  readonly wire: Wire["Bindings"];
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Routes that are described by the very schemas they are held to (SV-2). */
export class Operations implements ApiRoutes {
  readonly app = new OpenAPIHono<Wire>();
  readonly #door: Door;
  readonly #as: (person: Person) => App;

  constructor(door: Door, as: (person: Person) => App) {
    this.#door = door;
    this.#as = as;
  }

  get<Answer extends z.ZodType, Query extends z.ZodType>(
    described: ReadRoute<Answer, Query>,
    act: (question: Question<z.infer<Query>>) => Promise<z.infer<Answer>>,
  ): void {
    this.#describe("get", described, {}, described.perGeneration === true ? { others: notModified } : {});
    this.app.get(patternOf(described.path), async (context) => {
      const question = questionOf(context, this.#as, described.query);
      if (described.perGeneration !== true) return sendJson(context.env.outgoing, await act(question));
      // Before the answer is made: should the generation move meanwhile, the tag is the older one, and asked for again.
      const etag = tagOf(await this.#door.served.generation(), question.person, this.#door.policy);
      const headers = { etag, "cache-control": "private, no-cache", vary: "authorization, x-api-key, cookie" };
      if (isKnown(context.env.incoming.headers["if-none-match"], etag))
        return sendJson(context.env.outgoing, undefined, { status: 304, headers });
      return sendJson(context.env.outgoing, await act(question), { headers });
    });
  }

  post<Asked extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
    described: WriteRoute<Asked, Answer, Query>,
    act: (question: Question<z.infer<Query>>, asked: z.infer<Asked>) => Promise<z.infer<Answer>>,
    headersOf: (answer: z.infer<Answer>) => Record<string, string> = () => ({}),
  ): void {
    this.#write("post", described, act, headersOf);
  }

  put<Asked extends z.ZodType, Answer extends z.ZodType>(
    described: WriteRoute<Asked, Answer>,
    act: (question: Question, asked: z.infer<Asked>) => Promise<z.infer<Answer>>,
  ): void {
    this.#write("put", described, act);
  }

  patch<Asked extends z.ZodType, Answer extends z.ZodType>(
    described: WriteRoute<Asked, Answer>,
    act: (question: Question, asked: z.infer<Asked>) => Promise<z.infer<Answer>>,
  ): void {
    this.#write("patch", described, act);
  }

  delete<Answer extends z.ZodType, Query extends z.ZodType>(
    described: RouteDescription<Answer, Query>,
    act: (question: Question<z.infer<Query>>) => Promise<z.infer<Answer>>,
  ): void {
    this.#write("delete", described, act);
  }

  /** A route that answers for itself, with a text or a status of its own. */
  getRaw<Answer extends z.ZodType>(
    described: RouteDescription<Answer> & Sending,
    act: (context: Context<Wire>) => Promise<Response>,
  ): void {
    this.#describe("get", described, {}, described);
    this.app.get(patternOf(described.path), act);
  }

  /** All that was described so far. */
  document() {
    const { openAPIRegistry } = this.app;
    for (const [name, scheme] of Object.entries(securitySchemes))
      openAPIRegistry.registerComponent("securitySchemes", name, scheme);
    return this.app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "Skillward", version: "1" } });
  }

  #write<Asked extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
    method: Exclude<Method, "get">,
    described: WriteRoute<Asked, Answer, Query>,
    act: (question: Question<z.infer<Query>>, asked: z.infer<Asked>) => Promise<z.infer<Answer>>,
    headersOf: (answer: z.infer<Answer>) => Record<string, string> = () => ({}),
  ): void {
    const { path, asked } = described;
    const body =
      asked === undefined ? {} : { body: { required: true, content: { "application/json": { schema: asked } } } };
    this.#describe(method, described, body);
    this.app.on(method.toUpperCase(), patternOf(path), async (context) => {
      const question = questionOf(context, this.#as, described.query);
      const most = boundsOfBody(described.body ?? "usual", this.#door);
      const read = asked === undefined ? undefined : await readJson(context.env, asked, most);
      // Without a schema nothing is read, and nothing is handed on.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const value = read as z.infer<Asked>;
      const answer = await act(question, value);
      return sendJson(context.env.outgoing, answer, { headers: headersOf(answer) });
    });
  }

  #describe(
    method: Method,
    { path, summary, answer, query, tag }: RouteDescription<z.ZodType>,
    request: NonNullable<RouteConfig["request"]>,
    { type = "application/json", others = {} }: Sending = {},
  ): void {
    const isOpen = routes.get(`${method.toUpperCase()} ${patternOf(path)}`) === "anybody";
    const names = parametersOf(path);
    const params =
      names.length === 0
        ? {}
        : { params: z.object(Object.fromEntries(names.map((name) => [name, pathParameters(name)]))) };
    this.app.openAPIRegistry.registerPath({
      method,
      path,
      operationId: operationId(method, path),
      summary,
      tags: [tag ?? path.split("/")[2] ?? "server"],
      request: { ...request, ...params, ...(query instanceof z.ZodObject ? { query } : {}) },
      ...(isOpen ? {} : { security: securityOf(method) }),
      responses: {
        200: { description: "OK", content: { [type]: { schema: answer } } },
        ...Object.fromEntries(Object.entries(others).map(([status, other]) => [status, responseOf(type, other)])),
        default: { description: "Refused or failed", content: { "application/problem+json": { schema: problem } } },
      },
    });
  }
}

const notModified = { 304: { description: "What was answered under this tag still holds" } };

function responseOf(type: string, { description, schema }: { description: string; schema?: z.ZodType }) {
  return schema === undefined ? { description } : { description, content: { [type]: { schema } } };
}

function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function questionOf<Query extends z.ZodType>(
  context: Context<Wire>,
  as: (person: Person) => App,
  schema?: Query,
): Question<z.infer<Query>> {
  const { exchange } = context.env;
  const parameters: Readonly<Record<string, string>> = context.req.param();
  for (const [name, value] of Object.entries(parameters))
    if (!pathParameters(name).safeParse(value).success)
      throw new AppError("record.missing", `there is nothing that is called "${safeLine(value, 80)}"`);
  const query = queryOf(context, schema);
  return {
    // A route that anybody may call may be asked by nobody, and then does not look at this.
    get person() {
      return personOf(exchange);
    },
    get app() {
      return as(personOf(exchange));
    },
    signal: exchange.signal,
    notes: exchange.notes,
    exchange,
    wire: context.env,
    id: parameters["id"] ?? "",
    entry: parameters["entry"] ?? "",
    parameters,
    query,
  };
}

/** Every name once, and none that the route does not know: what is asked twice is read in two ways. */
function queryOf<Query extends z.ZodType>(context: Context<Wire>, schema?: Query): z.infer<Query> {
  const given = Object.entries(context.req.queries()).map(([name, values]) => {
    if (values.length === 1) return [name, values[0]] as const;
    throw new AppError("usage.invalid", `${safeLine(name, 40)}: asked for more than once`);
  });
  const { success, data, error } = (schema ?? z.strictObject({})).safeParse(Object.fromEntries(given));
  // The schema of a route that takes none is the empty one, whatever its type says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (success) return data as z.infer<Query>;
  throw new AppError("usage.invalid", `the query: ${shownFaults(error.issues)}`);
}

/** What the description of the API says that no schema does. */

/** A key, or the session of a browser, whose writes carry its token too (T37). */
const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key." },
  header: { type: "apiKey", in: "header", name: "x-api-key", description: "The same." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-skillward",
    description: "Of whoever is signed in; on plain HTTP at loopback it is called `skillward`.",
  },
  token: {
    type: "apiKey",
    in: "header",
    name: "x-skillward-token",
    description: "As `GET /api/session` says it; with every write of a session.",
  },
} as const;

function securityOf(method: string): Record<string, string[]>[] {
  return [{ bearer: [] }, { header: [] }, method === "get" ? { session: [] } : { session: [], token: [] }];
}

/** `POST /api/sources/{id}/sync` is `postSourcesByIdSync`. */
function operationId(method: string, path: string): string {
  const words = path.replace(/^\/(?:api\/)?/, "").match(/\w+|[{]/g) ?? [];
  const names = words.map((word) => (word === "{" ? "By" : word.charAt(0).toUpperCase() + word.slice(1)));
  return method + names.join("");
}
