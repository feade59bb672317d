import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axeCore from "axe-core";
import { type Browser, chromium, type LaunchOptions, type Page } from "playwright-core";
import { prepareChromium } from "./chromium.ts";
import { forRun } from "./long-run.ts";

export type { Page } from "playwright-core";

interface PageOptions {
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
  /** What `goto("/")` is relative to. */
  readonly baseURL?: string;
}

export interface TestBrowser {
  /** A page of a browser that knows nothing yet: no cookie, no cache. */
  newPage(options: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

/** A real Chromium. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await launch();
  return {
    async newPage({ width, height, dark, baseURL }) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? "dark" : "light",
        reducedMotion: "reduce",
        serviceWorkers: "block",
        ...(baseURL === undefined ? {} : { baseURL }),
      });
      // A little less than a test has, so that what it waited for is named.
      context.setDefaultTimeout(50_000);
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

/** Root has no sandbox for it; what is tested against is the page's own policy. */
const args = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"];

async function launch(): Promise<Browser> {
  const found = await prepareChromium();
  if (found === null) return chromium.launch({ channel: "chrome", args });
  const env = { ...process.env, FONTCONFIG_FILE: found.fonts };
  const options: LaunchOptions = { executablePath: found.program, args, env };
  try {
    return await chromium.launch(options);
  } catch (error) {
    if (!String(error).includes("shared libraries")) throw error;
    return chromium.launch({ ...options, env: { ...env, LD_LIBRARY_PATH: found.libraries } });
  }
}

const pictures = fileURLToPath(new URL("../.screenshots", import.meta.url));

/** Of the long run, for people to look at; nothing is compared with it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!forRun({ short: false, long: true })) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** What axe-core finds wrong with the page as it stands, one line each; none is what is wanted. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind; it stays until the page is loaded again.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeCore.source);
  const found = await page.evaluate<{ id: string; help: string; nodes: { target: string[]; html: string }[] }[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(" ")} ${html.slice(0, 160)}`),
  );
}

/** Every request of the page to anywhere else than the server, from now on; the list grows. */
export function outbound(page: Page, server: string): readonly string[] {
  const { origin } = new URL(server);
  const seen: string[] = [];
  const note = (url: string) => {
    if (/^(?:data|blob|about):/.test(url) || new URL(url).origin === origin) return;
    seen.push(url);
  };
  // Of the context: also what a frame, a worker or another window of it asks for.
  page.context().on("request", (request) => note(request.url()));
  page.on("websocket", (socket) => note(socket.url()));
  return seen;
}
