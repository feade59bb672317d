import { AppError } from "../core/error.ts";

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
export function parseParameters(header: string): HeaderValue {
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
export function parseHeaders(text: string): ReadonlyMap<string, string> {
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
export function formFault(what: string): AppError {
  return new AppError("usage.invalid", `the form cannot be used: ${what}`);
}
