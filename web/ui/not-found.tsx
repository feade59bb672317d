import { Empty } from "./parts.tsx";
import { Shell } from "./shell.tsx";

export function NotFoundPage() {
  return (
    <Shell title="Not here">
      <Empty title="There is no such page">
        <a href="#/">Go to the overview</a>
      </Empty>
    </Shell>
  );
}
