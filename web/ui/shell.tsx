import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Queue } from "#contract";
import { counted } from "../lib/format.ts";
import { allBindings, awaitNext, type KeyBinding, useKeys } from "../lib/keys.ts";
import { generation, isHeard } from "../lib/live.ts";
import { useAction, useResource } from "../lib/resource.ts";
import { go, place } from "../lib/router.ts";
import { may, person, signOut } from "../lib/session.ts";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName, Mark } from "./icon.tsx";
import { Button, ProblemNotice } from "./parts.tsx";

interface NavItem {
  readonly page: string;
  readonly title: string;
  readonly icon: IconName;
  /** The second key after `g`. */
  readonly key: string;
  readonly isFor?: () => boolean;
}

const parts: readonly { readonly title: string | null; readonly items: readonly NavItem[] }[] = [
  {
    title: null,
    items: [
      { page: "", title: "Overview", icon: "overview", key: "o" },
      { page: "review", title: "Review", icon: "review", key: "r" },
      { page: "skills", title: "Skills", icon: "skill", key: "s" },
      { page: "sources", title: "Sources", icon: "source", key: "f" },
    ],
  },
  {
    title: "Use",
    items: [
      { page: "configurations", title: "Configurations", icon: "configuration", key: "c" },
      { page: "tasks", title: "Tasks", icon: "task", key: "t" },
      { page: "routing", title: "Routing", icon: "route", key: "p" },
      { page: "scopes", title: "Scopes", icon: "scope", key: "x" },
    ],
  },
  {
    title: "Proof",
    items: [
      { page: "evaluations", title: "Evaluations", icon: "evaluation", key: "e" },
      { page: "usage", title: "Usage", icon: "usage", key: "u" },
      { page: "audit", title: "Audit", icon: "audit", key: "a" },
    ],
  },
  {
    title: "Admin",
    items: [
      { page: "people", title: "Users and keys", icon: "people", key: "k", isFor: () => may("administer") },
      { page: "settings", title: "Settings", icon: "settings", key: "," },
      { page: "api", title: "API", icon: "api", key: "d" },
    ],
  },
];

interface ShellProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  /** At the right of the bar. */
  readonly tools?: ComponentChildren;
  /** Keys of this page. */
  readonly keys?: readonly KeyBinding[];
  /** Without the usual column: the page lays itself out. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** The frame around every page of somebody who is signed in. */
export function Shell({ title, about, tools, keys = [], isWide = false, children }: ShellProps) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const leave = useAction(signOut);
  const main = useRef<HTMLElement>(null);
  const items = parts.flatMap((part) => part.items).filter(({ isFor }) => isFor?.() ?? true);
  useEffect(() => {
    document.title = `${title} · Skillward`;
  }, [title]);
  const pages = items.map(({ key, page, title: name }) => ({ key, about: name, act: () => go(`#/${page}`) }));
  useKeys([
    { key: "g", about: "then a letter: go to a page", act: () => awaitNext(pages) },
    { key: "?", about: "all keys", act: () => setShowsKeys(true) },
    ...keys,
  ]);
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <nav class="nav" aria-label="Main" data-open={isMenuOpen} onClick={() => setMenuOpen(false)}>
        <a class="brand" href="#/">
          <Mark />
          Skillward
        </a>
        {parts.map((part) => (
          <NavPart
            key={part.title ?? ""}
            title={part.title}
            items={part.items.filter((item) => items.includes(item))}
          />
        ))}
        <div class="nav-foot">
          <span class="nav-link">
            <span class="wrap">
              {person.value?.name} <span class="faint">{person.value?.role}</span>
            </span>
          </span>
          <ProblemNotice problem={leave.problem} />
          <Button kind="quiet" disabled={leave.isRunning} onClick={() => void leave.run()}>
            <Icon name="out" /> Sign out
          </Button>
        </div>
      </nav>
      <header class="bar">
        <span class="menu-button">
          <Button kind="quiet" onClick={() => setMenuOpen(!isMenuOpen)} title="Menu">
            <Icon name={isMenuOpen ? "close" : "menu"} />
            <span class="unseen">Menu</span>
          </Button>
        </span>
        <h1>{title}</h1>
        {about !== undefined && <span class="about">{about}</span>}
        <div class="tools">
          {tools}
          <span
            class="generation"
            data-heard={isHeard.value}
            title={isHeard.value ? "What is shown is of this generation" : "The server is not heard at present"}
          >
            {generation.value === 0 ? "…" : `gen ${generation.value}`}
          </span>
        </div>
      </header>
      <main class="main" id="main" ref={main} tabIndex={-1}>
        {isWide ? children : <div class="page fade">{children}</div>}
      </main>
      {showsKeys && <KeyList items={items} onClose={() => setShowsKeys(false)} />}
    </div>
  );
}

function NavPart({ title, items }: { readonly title: string | null; readonly items: readonly NavItem[] }) {
  return (
    <>
      {title !== null && <div class="nav-part">{title}</div>}
      {items.map(({ page, title: name, icon }) => (
        <a key={page} class="nav-link" href={`#/${page}`} aria-current={place.value.page === page ? "page" : undefined}>
          <Icon name={icon} />
          {name}
          {page === "review" && <Waiting />}
        </a>
      ))}
    </>
  );
}

function Waiting() {
  const { data } = useResource<Queue>("/api/review?limit=1");
  const waiting = data?.total ?? 0;
  return waiting === 0 ? null : (
    <span class="count" aria-label={counted(waiting, "waits", "wait")}>
      {waiting}
    </span>
  );
}

function KeyList({ items, onClose }: { readonly items: readonly NavItem[]; readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <dl class="facts">
        {allBindings().map(({ key, about }) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </>
        ))}
        {items.map(({ key, title }) => (
          <>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
