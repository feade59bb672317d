import { useState } from "preact/hooks";
import { useResource } from "../lib/resource.ts";
import { Card, Loaded, Tag, type Tone } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { TextField } from "../ui/fields.tsx";

interface Schema {
  readonly [key: string]: unknown;
}

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Row extends Operation {
  readonly method: string;
  readonly path: string;
}

const tones: Readonly<Record<string, Tone>> = { get: "accent", post: "ok", put: "warn", patch: "warn", delete: "bad" };

/** SV-2: every route, as the schemas say that it is held to. */
export function ApiPage() {
  const document = useResource<Document>("/api/openapi.json");
  const [filter, setFilter] = useState("");
  return (
    <Shell title="API" about="what these pages do, a program can do" tools={<a href="/api/openapi.json">OpenAPI</a>}>
      <p class="mute">
        Send an API key as <code>Authorization: Bearer …</code>. Errors are <code>application/problem+json</code> with a
        code of a closed list. Answers that follow from the registry alone carry an <code>ETag</code>.
      </p>
      <TextField label="Find a route" type="search" value={filter} onChange={setFilter} />
      <Loaded of={document}>{(doc) => <Groups doc={doc} filter={filter.toLowerCase()} />}</Loaded>
    </Shell>
  );
}

function Groups({ doc, filter }: { readonly doc: Document; readonly filter: string }) {
  const rows = rowsOf(doc).filter(({ method, path, summary = "" }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(filter),
  );
  const tags = [...new Set(rows.map(({ tags: own = [] }) => own[0] ?? "server"))].toSorted();
  return (
    <>
      {tags.map((tag) => (
        <Card key={tag} title={tag}>
          {rows
            .filter(({ tags: own = [] }) => (own[0] ?? "server") === tag)
            .map((row) => (
              <OperationRow key={`${row.method} ${row.path}`} row={row} doc={doc} />
            ))}
        </Card>
      ))}
    </>
  );
}

function rowsOf({ paths }: Document): Row[] {
  const rows: Row[] = [];
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) rows.push({ ...operation, method, path });
  return rows;
}

function OperationRow({ row, doc }: { readonly row: Row; readonly doc: Document }) {
  const { method, path, summary, parameters = [] } = row;
  const body = schemaIn(row.requestBody?.content);
  const answer = schemaIn(row.responses?.["200"]?.content);
  return (
    <details class="operation">
      <summary>
        <Tag tone={tones[method] ?? "plain"}>{method.toUpperCase()}</Tag> <code class="wrap">{path}</code>{" "}
        <span class="mute">{summary}</span>
        {row.security === undefined && <Tag>open</Tag>}
      </summary>
      <div class="stack">
        {parameters.length > 0 && (
          <p>
            Parameters:{" "}
            {parameters.map(({ name, in: place }) => (
              <code key={name}>
                {name} ({place}){" "}
              </code>
            ))}
          </p>
        )}
        {body !== undefined && <SchemaText title="Body" schema={body} doc={doc} />}
        {answer !== undefined && <SchemaText title="Answer" schema={answer} doc={doc} />}
      </div>
    </details>
  );
}

function schemaIn(content: Readonly<Record<string, { readonly schema?: Schema }>> | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function SchemaText({
  title,
  schema,
  doc,
}: {
  readonly title: string;
  readonly schema: Schema;
  readonly doc: Document;
}) {
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
  const shown = name === undefined ? schema : doc.components?.schemas?.[name];
  return (
    <div>
      <strong>
        {title}
        {name === undefined ? "" : ` ${name}`}
      </strong>
      <pre class="schema">{JSON.stringify(shown, null, 2)}</pre>
    </div>
  );
}
