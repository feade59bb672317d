import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { session } from "../lib/session.ts";
import { Mark } from "../ui/icon.tsx";

/** A page without the frame: for whoever is not signed in. */
export function Alone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Skillward`;
  }, [title]);
  return (
    <main class="alone">
      <div class="alone-card fade">
        <div class="alone-head">
          <Mark />
          <div>
            <h1>{title}</h1>
            <p class="mute small">Skillward {session.value?.version}</p>
          </div>
        </div>
        {children}
      </div>
    </main>
  );
}
