import { isUtf8 } from "node:buffer";
import { AppError } from "../core/error.ts";
import { foldKey, type Span } from "../core/json/reader.ts";
import { applyEdits, type Edit } from "./splice-edits.ts";

/** What a form was found to hold. It fits that body and no other. */
interface FormView {
  /** The field `model`. */
  readonly model: string | undefined;
  readonly boundary: string;
  /** Where its value stands, and the length that its part may declare. */
  readonly value: Span | undefined;
  readonly declared: Span | undefined;
}

/**
 * Finds the model in a form. Readers of forms are lenient in different ways, so this one is not: whatever one of them
 * could take for another part or for another `model` is refused (`usage.invalid`), and so is a second `model`.
 */
export function readMultipart(contentType: string, body: Uint8Array): FormView {
  const boundary = readBoundary(contentType);
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let view: FormView = { model: undefined, boundary, value: undefined, declared: undefined };
  for (const part of splitParts(form, `--${boundary}`)) {
    const field = readPart(form, part);
    if (foldKey(field.name) !== "model") continue;
    if (view.value !== undefined) throw formFault("the field model is there twice");
    view = { ...readModel(form, field), boundary };
  }
  return view;
}

/** The form with another model, every other byte as it came. Without the field, it becomes the first one. */
export function spliceMultipart(view: FormView, body: Uint8Array, model: string): Uint8Array {
  if (model === view.model) return body;
  if (hasControls(model) || !model.isWellFormed() || model.includes(`--${view.boundary}`))
    throw new AppError("usage.invalid", "model: a name that cannot stand in a form");
  return applyEdits(body, view.value === undefined ? [addModel(view, body, model)] : changeModel(view, model));
}

function addModel({ boundary }: FormView, body: Uint8Array, model: string): Edit {
  const at = body[0] === 0x0d ? 2 : 0;
  const text = `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`;
  return { start: at, end: at, text };
}

function changeModel({ value, declared }: FormView, model: string): readonly Edit[] {
  const length = declared && { ...declared, text: String(Buffer.byteLength(model)) };
  const change = value && { ...value, text: model };
  return [length, change].filter((edit) => edit !== undefined);
}

/** RFC 2046: what a boundary may consist of. */
const boundaryForm = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

function readBoundary(contentType: string): string {
  const { value, parameters } = parseParameters(contentType);
  const boundary = parameters.get("boundary") ?? "";
  if (value !== "multipart/form-data" || !boundaryForm.test(boundary))
    throw formFault("the content type is not multipart/form-data with a boundary");
  return boundary;
}

/** What lies between the delimiters. Each occurrence of one has to be one, for every reader. */
function splitParts(form: Buffer, delimiter: string): readonly Span[] {
  const parts: Span[] = [];
  let at = form.indexOf(delimiter);
  if (at !== 0 && !(at === 2 && isText(form, 0, "\r\n"))) throw formFault("it does not start with its boundary");
  for (;;) {
    const start = at + delimiter.length;
    if (isText(form, start, "--")) {
      refuseMore(form, start + 2);
      return parts;
    }
    at = form.indexOf(delimiter, start);
    if (!isText(form, start, "\r\n") || at < 0 || !isText(form, at - 2, "\r\n"))
      throw formFault(`a part is not closed properly, at byte ${start}`);
    parts.push({ start: start + 2, end: at - 2 });
  }
}

function refuseMore(form: Buffer, at: number): void {
  if (form.length !== at && !(form.length === at + 2 && isText(form, at, "\r\n")))
    throw formFault(`something follows its end, at byte ${at}`);
}

function isText(form: Buffer, at: number, text: string): boolean {
  return at >= 0 && form.toString("latin1", at, at + text.length) === text;
}

interface Field {
  readonly name: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly isFile: boolean;
  readonly value: Span;
  readonly declared: Span | undefined;
}

function readPart(form: Buffer, part: Span): Field {
  const headEnd = part.end < part.start ? -1 : form.subarray(part.start, part.end).indexOf("\r\n\r\n");
  if (headEnd < 0) throw formFault(`a part has no headers, at byte ${part.start}`);
  const head = form.toString("latin1", part.start, part.start + headEnd);
  const value = { start: part.start + headEnd + 4, end: part.end };
  const headers = parseHeaders(head);
  const { name, isFile } = readDisposition(headers.get("content-disposition") ?? "");
  return { name, headers, isFile, value, declared: readLength(head, part.start, value) };
}

function readDisposition(header: string): { name: string; isFile: boolean } {
  const { value, parameters } = parseParameters(header);
  const name = parameters.get("name");
  // Escapes of either kind and `name*` are read by some and not by others.
  if (value !== "form-data" || name === undefined || /[\\%]/.test(name) || parameters.has("name*"))
    throw formFault("a part does not say its name plainly");
  return {
    name: Buffer.from(name, "latin1").toString("utf8"),
    isFile: parameters.has("filename") || parameters.has("filename*"),
  };
}

const contentLength = /(?:^|\r\n)content-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n|$)/i;

/** Some clients declare the length of a part, and some readers believe it. */
function readLength(head: string, offset: number, value: Span): Span | undefined {
  if (!/(?:^|\r\n)content-length:/i.test(head)) return undefined;
  const found = contentLength.exec(head);
  const digits = found?.[1] ?? "";
  if (found === null || Number(digits) !== value.end - value.start)
    throw formFault(`a part declares another length than it has, at byte ${offset}`);
  const start = offset + found.index + found[0].lastIndexOf(digits);
  return { start, end: start + digits.length };
}

function readModel(form: Buffer, field: Field): Omit<FormView, "boundary"> {
  const { name, value, declared } = field;
  const raw = form.subarray(value.start, value.end);
  const model = raw.toString("utf8");
  if (name !== "model" || field.isFile || !isPlainText(field.headers) || !isUtf8(raw) || hasControls(model))
    throw formFault("the field model is not a plain text");
  return { model, value, declared };
}

function isPlainText(headers: ReadonlyMap<string, string>): boolean {
  const { value, parameters } = parseParameters(headers.get("content-type") ?? "text/plain");
  const charset = parameters.get("charset")?.toLowerCase() ?? "utf-8";
  const encoding = headers.get("content-transfer-encoding")?.trim().toLowerCase() ?? "8bit";
  return (
    value === "text/plain" && ["utf-8", "us-ascii"].includes(charset) && ["7bit", "8bit", "binary"].includes(encoding)
  );
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** One header line with its parameters, as it is in a part of a form and in `content-type`. */
interface HeaderValue {
  /** The value before the first parameter, in lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$&'*+.^_`|~0-9A-Za-z-]+";
const leading = new RegExp(`[ \\t]*(${token}(?:/${token})?)[ \\t]*`, "y");
/** Boundaries are often written without the quotes that they would need. */
const bare = "[!#$&'*+.^_`|~0-9A-Za-z/:=?()-]+";
const parameter = new RegExp(`;[ \\t]*(${token})=(?:"([^"]*)"|(${bare}))[ \\t]*`, "y");

/**
 * `form-data; name="model"` and the like. Refuses what readers take in different ways: a parameter twice, an escaped
 * quote, anything left over.
 */
function parseParameters(header: string): HeaderValue {
  leading.lastIndex = 0;
  const value = leading.exec(header)?.[1];
  if (value === undefined) throw formFault("a header cannot be read");
  const parameters = new Map<string, string>();
  parameter.lastIndex = leading.lastIndex;
  while (parameter.lastIndex < header.length) addParameter(parameters, parameter.exec(header));
  return { value: value.toLowerCase(), parameters };
}

function addParameter(parameters: Map<string, string>, found: RegExpExecArray | null): void {
  const name = found?.[1]?.toLowerCase();
  const value = found?.[2] ?? found?.[3] ?? "";
  if (name === undefined) throw formFault("a header cannot be read");
  if (parameters.has(name)) throw formFault("a header has a parameter twice");
  // With or without escapes, the string would end in different places.
  if (value.endsWith("\\")) throw formFault("a header has a backslash before a quote");
  parameters.set(name, value);
}

const line = new RegExp(`^(${token}):([^\\r\\n\\0]*)$`);

/** The headers of one part by their names in lower case. */
function parseHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const row of text.split("\r\n")) {
    const [, name, value] = line.exec(row) ?? [];
    if (name === undefined || value === undefined) throw formFault("a header cannot be read");
    if (headers.has(name.toLowerCase())) throw formFault("a part has a header twice");
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

/** What is said about a form that cannot be used. */
function formFault(what: string): AppError {
  return new AppError("usage.invalid", `the form cannot be used: ${what}`);
}
