import MarkdownIt from "markdown-it";
import { type ComponentChildren, createElement } from "preact";
import { useMemo } from "preact/hooks";
import { MarkedText } from "./marked-text.tsx";
import { Icon } from "./icon.tsx";
import { Visible } from "./visible.tsx";

const markdown = new MarkdownIt("default", { html: false, linkify: false, typographer: false });

type Token = ReturnType<typeof markdown.parse>[number];

/** More is for the raw view: nobody reads it here, and a browser would take its time over it. */
const mostCharacters = 120_000;

export function MarkdownView({ text }: { readonly text: string }) {
  const shown = useMemo(() => treeOf(markdown.parse(text.slice(0, mostCharacters), {})), [text]);
  return (
    <div class="md">
      {shown}
      {text.length > mostCharacters && (
        <p class="mute">The rest is too long to be shown here; it stands in the raw text.</p>
      )}
    </div>
  );
}

/** SV-4: the only elements that a text can become. Whatever else is in it is shown as it is written. */
const allowed: ReadonlySet<string> = new Set("p blockquote ul ol li strong em s table thead tbody tr th td".split(" "));

/** Where a token stands for more than an element of the same name. */
interface Level {
  readonly token: Token | null;
  readonly children: ComponentChildren[];
}

function treeOf(tokens: readonly Token[]): ComponentChildren[] {
  const root: Level = { token: null, children: [] };
  const open: Level[] = [root];
  const headings = headingLevels();
  const add = (child: ComponentChildren) => open.at(-1)?.children.push(child);
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) add(leafOf(token));
    else {
      const level = open.length > 1 ? open.pop() : undefined;
      if (level?.token) add(elementOf(level.token, level.children, headings));
    }
  }
  return root.children;
}

function elementOf(
  token: Token,
  children: ComponentChildren[],
  headings: (wanted: number) => number,
): ComponentChildren {
  const { tag, type } = token;
  // A paragraph of a list without gaps is no paragraph.
  if (token.hidden) return children;
  if (type === "link_open") return <ForeignLink to={attribute(token, "href")}>{children}</ForeignLink>;
  if (type === "heading_open") return createElement(`h${headings(Number(tag.slice(1)))}`, null, children);
  if (tag === "ol") return <ol start={Number(attribute(token, "start") || 1)}>{children}</ol>;
  if (tag === "table") return <div class="md-table">{createElement("table", null, children)}</div>;
  return allowed.has(tag) ? createElement(tag, null, children) : children;
}

/** The page has a heading of its own above; no text can break the order of them. */
function headingLevels(): (wanted: number) => number {
  let last = 2;
  return (wanted) => {
    last = Math.min(wanted + 2, last + 1, 6);
    return last;
  };
}

function leafOf(token: Token): ComponentChildren {
  switch (token.type) {
    case "inline":
      return treeOf(token.children ?? []);
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "code_inline":
      return (
        <code>
          <MarkedText text={token.content} />
        </code>
      );
    case "fence":
    case "code_block":
      return (
        <pre>
          <code>
            <MarkedText text={token.content.replace(/\n$/, "")} />
          </code>
        </pre>
      );
    case "image":
      return <ForeignImage from={attribute(token, "src")} about={token.content} />;
    default:
      return <MarkedText text={token.content} />;
  }
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}

/** Where an address of a text leads, as the browser reads it; null: nowhere that a click may lead to. */
function placeOf(address: string): { readonly href: string; readonly shown: string } | null {
  // Whatever cannot be seen in an address is there to mislead.
  if (/[^\x21-\x7e]/.test(address)) return null;
  try {
    const { protocol, host, pathname, href } = new URL(address);
    if (protocol === "http:" || protocol === "https:") return { href, shown: host };
    return protocol === "mailto:" ? { href, shown: pathname } : null;
  } catch {
    return null;
  }
}

/** T29: a link of a text says where it really leads, and only a click goes there. */
export function ForeignLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }) {
  const place = placeOf(to);
  if (place === null)
    return (
      <span>
        {children} <span class="foreign">({to === "" ? "no address" : <Visible text={decodedAddress(to)} />})</span>
      </span>
    );
  return (
    <a href={place.href} target="_blank" rel="noreferrer noopener" title={place.href}>
      {children} <span class="foreign">({place.shown})</span>
    </a>
  );
}

/** T29, T34: no picture of a text is loaded: asking for it would tell somebody, and its address can carry anything. */
export function ForeignImage({ from, about }: { readonly from: string; readonly about: string }) {
  return (
    <span class="foreign-image">
      <Icon name="image" /> Picture that is not loaded{about === "" ? "" : ": "}
      <Visible text={about} />{" "}
      <span class="foreign">({from === "" ? "no address" : <Visible text={shortened(from)} />})</span>
    </span>
  );
}

const longest = 160;

function shortened(address: string): string {
  const shown = decodedAddress(address);
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

/** As it was written: readers of Markdown write an address with percent signs. */
function decodedAddress(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
