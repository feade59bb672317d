import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Visible } from "./visible.tsx";

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
