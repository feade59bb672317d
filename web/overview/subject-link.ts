import type { Subject } from "#contract";
import { to } from "../lib/router.ts";

const pages: Readonly<Record<Subject["kind"], string>> = {
  audit: "audit",
  review: "review",
  source: "sources",
  configuration: "configurations",
  task: "tasks",
  store: "settings",
  usage: "usage",
  api: "api",
};

/** The page on which something is looked at, or all of its kind. */
export function linkTo({ kind, id }: Subject): string {
  return id === null ? to(pages[kind]) : to(pages[kind], id);
}
