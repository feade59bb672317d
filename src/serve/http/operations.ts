import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError } from "../../base/error.ts";
import { safeLine } from "../../base/text.ts";
import { type Door, type Exchange, personOf, type Wire } from "../door.ts";
import type { Person } from "../../registry/accounts/roles.ts";
import { routes } from "../routes.ts";
import { sendJson } from "../send.ts";
import { readJson } from "./json-body.ts";
import { pathId, problem } from "./schemas.ts";

/** One route as it is described. */
interface Described<Answer extends z.ZodType> {
  /** With `{id}`, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  readonly answer: Answer;
}

/** A question: who asks, under which exchange, and what the path names. */
export interface Question {
  readonly person: Person;
  readonly exchange: Exchange;
  readonly id: string;
}

/** Routes that are described by the very schemas they are held to (SV-2). */
export class Operations {
  readonly app = new OpenAPIHono<Wire>();
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  post<Asked extends z.ZodType, Answer extends z.ZodType>(
    described: Described<Answer> & { readonly asked: Asked },
    act: (question: Question, asked: z.infer<Asked>) => Promise<z.infer<Answer>>,
    headersOf: (answer: z.infer<Answer>) => Record<string, string> = () => ({}),
  ): void {
    const { path, asked } = described;
    this.#describe("post", described, { body: { required: true, content: { "application/json": { schema: asked } } } });
    this.app.post(patternOf(path), async (context) => {
      const body = await readJson(context.env, asked, this.#door.bodyBytes);
      const answer = await act(questionOf(context), body);
      return sendJson(context.env.outgoing, answer, { headers: headersOf(answer) });
    });
  }

  get<Answer extends z.ZodType>(
    described: Described<Answer>,
    act: (question: Question) => Promise<z.infer<Answer>>,
  ): void {
    this.#describe("get", described, {});
    this.app.get(patternOf(described.path), async (context) =>
      sendJson(context.env.outgoing, await act(questionOf(context))),
    );
  }

  /** A route that answers for itself, with a text or a status of its own. */
  getRaw<Answer extends z.ZodType>(
    described: Described<Answer> & { readonly type?: string },
    act: (context: Context<Wire>) => Promise<Response>,
  ): void {
    this.#describe("get", described, {}, described.type);
    this.app.get(patternOf(described.path), act);
  }

  /** All that was described so far. */
  document() {
    const { openAPIRegistry } = this.app;
    openAPIRegistry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer" });
    openAPIRegistry.registerComponent("securitySchemes", "header", { type: "apiKey", in: "header", name: "x-api-key" });
    return this.app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "Skillward", version: "1" } });
  }

  #describe(
    method: "get" | "post",
    { path, summary, answer }: Described<z.ZodType>,
    request: NonNullable<RouteConfig["request"]>,
    type = "application/json",
  ): void {
    const isOpen = routes.get(`${method.toUpperCase()} ${patternOf(path)}`) === "anybody";
    const params = path.includes("{id}") ? { params: z.object({ id: pathId }) } : {};
    this.app.openAPIRegistry.registerPath({
      method,
      path,
      summary,
      request: { ...request, ...params },
      ...(isOpen ? {} : { security: [{ bearer: [] }, { header: [] }] }),
      responses: {
        200: { description: "OK", content: { [type]: { schema: answer } } },
        default: { description: "Refused or failed", content: { "application/problem+json": { schema: problem } } },
      },
    });
  }
}

function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function questionOf(context: Context<Wire>): Question {
  const { exchange } = context.env;
  const id = context.req.param("id") ?? "";
  if (id !== "" && !pathId.safeParse(id).success)
    throw new AppError("record.missing", `there is nothing that is called "${safeLine(id, 80)}"`);
  return { person: personOf(exchange), exchange, id };
}
