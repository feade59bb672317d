import type { ComponentChildren } from "preact";

/** What stands above a column. */
type Column =
  | string
  | {
      readonly title: string;
      /** Figures stand to the right, below each other. */
      readonly isNumber?: boolean;
      /** Said, and not shown: for buttons, which speak for themselves. */
      readonly isUnseen?: boolean;
    };

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where it is too wide, also by keyboard. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead>
          <tr>{columns.map(headOf)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function headOf(column: Column) {
  const { title, isNumber = false, isUnseen = false } = typeof column === "string" ? { title: column } : column;
  return (
    <th key={title} scope="col" class={isNumber ? "number" : undefined}>
      {isUnseen ? <span class="unseen">{title}</span> : title}
    </th>
  );
}
