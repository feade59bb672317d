import { seen } from "../matchers.ts";
import type { Hit, Rule } from "../rule.ts";
import type { ScanText } from "../text.ts";

const uri = seen(
  /\bdata:(?:text\/(?:html|javascript|xml)|application\/(?:xhtml\+xml|javascript|x-javascript|x-sh)|image\/svg\+xml)[a-z0-9;=-]{0,60},[^\s"'`<>)]{1,4000}/,
  "data",
);

function find(text: ScanText): readonly Hit[] {
  return uri.find(text).flatMap(({ start, end }) => {
    const decoded = contentOf(text.text.slice(start, end));
    return isActive(decoded) || isLinked(text.text, start) ? [{ start, end, decoded }] : [];
  });
}

function contentOf(address: string): string {
  const comma = address.indexOf(",");
  const content = address.slice(comma + 1);
  if (/;base64$/i.test(address.slice(0, comma))) return Buffer.from(content, "base64").toString("utf8");
  return Buffer.from(
    content.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
}

function isActive(content: string): boolean {
  return /<script|\bon[a-z]{3,12}\s{0,4}=|javascript:|<iframe|<meta|\bfetch\(|\beval\(/i.test(content);
}

/** A page that opens when somebody follows a link. */
function isLinked(text: string, start: number): boolean {
  return (
    /\]\(\s{0,4}$|\bhref\s{0,2}=\s{0,2}["']?$/i.test(text.slice(Math.max(0, start - 12), start)) &&
    /^data:text\/html/i.test(text.slice(start, start + 16))
  );
}

export const hiddenDataUri: Rule = {
  id: "hidden.data-uri",
  level: "high",
  title: "a page or a script packed into an address",
  why: "Whoever follows it opens a page that came with the text, without a host that could be checked. Pictures are packed so with good reason; pages and scripts are not. Read what is decoded.",
  match: { patterns: uri.patterns, find },
  hostile: [
    `[y](data:text/html;base64,${Buffer.from("<script>send(document.cookie)</script>").toString("base64")})`,
    "[y](data:text/html,%3Ch1%3ESign%20in%3C/h1%3E)",
    `![i](data:image/svg+xml;base64,${Buffer.from('<svg onload="go()"></svg>').toString("base64")})`,
  ],
  benign: [
    "![i](data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==)",
    `![i](data:image/svg+xml;base64,${Buffer.from('<svg viewBox="0 0 1 1"><rect/></svg>').toString("base64")})`,
    "Pages can be opened as `data:text/html` addresses.",
  ],
};
