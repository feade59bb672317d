import { Component, type ComponentChildren } from "preact";
import { Notice } from "./parts.tsx";

interface BoundaryProps {
  readonly children: ComponentChildren;
}

/** A page that breaks says so, and leaves the others as they are. */
export class Boundary extends Component<BoundaryProps, { readonly hasBroken: boolean }> {
  override state = { hasBroken: false };

  static override getDerivedStateFromError() {
    return { hasBroken: true };
  }

  override render({ children }: BoundaryProps) {
    if (!this.state.hasBroken) return children;
    return (
      <main class="alone">
        <Notice tone="bad">
          This page has broken, and nothing was changed by it. <a href="#/">Go to the overview</a>, or load it again.
        </Notice>
      </main>
    );
  }
}
