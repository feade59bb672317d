import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { App } from "../../src/app/app.ts";
import { firstAdminLink } from "../../src/registry/accounts/first-admin.ts";
import type { Role } from "../../src/registry/accounts/roles.ts";
import { openSession } from "../../src/registry/accounts/sessions.ts";
import { serveApp } from "../../src/cli/serve/serve-app.ts";
import { manyRequests } from "../support/api-room.ts";
import type { Page, TestBrowser } from "../support/browser.ts";
import { sessionCookie } from "../../src/server/guard/session-cookie.ts";
import { putUser } from "../people/session-room.ts";
import { RegistryFolder } from "../support/registry.ts";

interface WebWishes {
  /** The configuration file's text. */
  readonly config?: string;
  /** One that is open already; it stays open when the room closes. */
  readonly registry?: { readonly folder: RegistryFolder; readonly app: App };
}

interface PageWishes {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** The built pages before a real server with a real store, in this process. */
export interface WebRoom {
  readonly url: string;
  readonly folder: RegistryFolder;
  readonly app: App;
  /** Makes the first admin; there must be none yet. */
  firstLink(): Promise<string>;
  /** A page of a browser that nobody has signed in at. */
  newPage(wishes?: PageWishes): Promise<Page>;
  /** One that holds a session, of an account that is made when it is first wanted; as a rule, an admin's. */
  signedIn(wishes?: PageWishes & { readonly role?: Role }): Promise<Page>;
  close(): Promise<void>;
}

export const password = "correct horse battery";

const pages = fileURLToPath(new URL("../../dist/web", import.meta.url));

export async function openWebRoom(browser: TestBrowser, { config = "", registry }: WebWishes = {}): Promise<WebRoom> {
  if (!existsSync(pages)) throw new Error("the pages are not built: npm run build:web");
  const folder = registry?.folder ?? new RegistryFolder({ config: `${config}${manyRequests}` });
  const app = registry?.app ?? (await folder.open());
  const server = await serveApp(app, { host: "127.0.0.1", port: 0, log: { write: () => {} }, pages });
  const made = new Set<string>();
  const accountOf = async (role: Role) => {
    const name = `the-${role}`;
    if (!made.has(name)) await putUser(app.accounts, name, role);
    made.add(name);
    return name;
  };
  const openSessionOf = async (role: Role) => openSession(app.accounts, await accountOf(role), "password");
  const newPage = ({ width = 1280, height = 900, dark = false }: PageWishes = {}) =>
    browser.newPage({ width, height, dark, baseURL: server.url });
  return {
    url: server.url,
    folder,
    app,
    newPage,
    async firstLink() {
      const link = await firstAdminLink({ ...app.accounts, store: app.kept.store }, server.url);
      if (link === null) throw new Error("there is an admin already");
      return link;
    },
    async signedIn({ role = "admin", ...wishes } = {}) {
      const [page, secret] = await Promise.all([newPage(wishes), openSessionOf(role)]);
      const [cookie = ""] = sessionCookie(secret, false).split(";", 1);
      const [name = "", value = ""] = cookie.split("=");
      await page.context().addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: "Strict" }]);
      await page.goto("/");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      return page;
    },
    async close() {
      await server.stop();
      if (registry === undefined) await folder.remove();
    },
  };
}

/** Goes to a place of the pages, and waits until all that it asks for is there. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.goto(`/${place}`);
  await settled(page);
}

/** Two frames on, the page has seen what happened; then nothing of it is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.locator(".loading").first().waitFor({ state: "detached" });
}
