const label = "[a-z0-9]+(?:-+[a-z0-9]+)*";
const host = `${label}(?:\\.${label})*|\\[[0-9a-f:.]+\\]`;
const written = new RegExp(`^(https?)://(${host})(?::([1-9]\\d{0,4}))?((?:/[\\w.~-]+)*)/?$`, "i");
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
export const longestOrigin = 512;

/**
 * The one spelling of the base address of a provider (RV-13): lowercase host, no default port, no slash at the end. The raw
 * text is matched before any parser sees it, so that no user name, foreign letter, tab or backslash can make two readers see
 * two hosts (as in T1); what the parser spells in another way, such as `127.1` or `/a/../b`, is refused. Plain http stays on
 * this machine.
 */
export function normalOrigin(text: string): string | undefined {
  if (text.length > longestOrigin) return undefined;
  const [, scheme = "", name = "", port = "", path = ""] = written.exec(text) ?? [];
  const whole = `${scheme}://${name}${port && `:${port}`}${path}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  if (url.hostname !== name.toLowerCase() || url.pathname !== (path || "/")) return undefined;
  if (url.protocol === "http:" && !loopback.test(url.hostname)) return undefined;
  return url.origin + path;
}
