import type { UpstreamRequest } from "./script.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a request, JSON or a form without its files; null when the body cannot be read as either. */
export function parseFields(request: UpstreamRequest): Fields | null {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(request.header("content-type") ?? "")?.[1];
  return boundary === undefined ? parseJson(request.text) : parseForm(request, boundary);
}

function parseJson(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    // A real service says no more than that either.
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseForm(request: UpstreamRequest, boundary: string): Fields | null {
  const parts = request.text.split(`--${boundary}`);
  if (parts.length < 2 || !parts.at(-1)?.startsWith("--")) return null;
  return Object.fromEntries(parts.slice(1, -1).flatMap(parsePart));
}

function parsePart(part: string): [name: string, value: string][] {
  const end = part.indexOf("\r\n\r\n");
  const head = part.slice(0, end);
  const name = /\bname="([^"]*)"/.exec(head)?.[1];
  return name === undefined || head.includes("filename=") ? [] : [[name, part.slice(end + 4, -2)]];
}
