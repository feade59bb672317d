import { useEffect, useState } from "preact/hooks";

type View = typeof import("./markdown-view.tsx").MarkdownView;

/** Loaded when the first text is shown: most pages have none. */
let loaded: View | undefined;

async function loadView(): Promise<View> {
  loaded = (await import("./markdown-view.tsx")).MarkdownView;
  return loaded;
}

/**
 * Markdown from outside, of a skill or of a model: nothing in it loads, runs or leads away by itself (T29, T34, CO-19).
 * What cannot be seen in it stands as a mark.
 */
export function Markdown({ text }: { readonly text: string }) {
  const [View, setView] = useState<View | undefined>(() => loaded);
  useEffect(() => {
    if (View !== undefined) return;
    void loadView().then((view) => setView(() => view));
  }, [View]);
  return View === undefined ? <div class="loading">Loading…</div> : <View text={text} />;
}
