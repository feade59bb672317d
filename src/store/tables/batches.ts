/** Few enough that the columns of any table stay under the engines' bounds on parameters. */
const most = 500;

/** Some at a time: as many as weigh no more than `most` together, and one at least. */
export async function inBatches<Row>(
  rows: readonly Row[],
  act: (some: Row[]) => Promise<unknown>,
  weightOf: (row: Row) => number = () => 1,
): Promise<void> {
  let some: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    weight += weightOf(row);
    if (some.length > 0 && weight > most) {
      await act(some);
      some = [];
      weight = weightOf(row);
    }
    some.push(row);
  }
  if (some.length > 0) await act(some);
}

/** Asks for many keys, some at a time, and for none of them twice. */
export async function selectAll<Key, Row>(
  keys: readonly Key[],
  select: (some: Key[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  await inBatches([...new Set(keys)], async (some) => rows.push(...(await select(some))));
  return rows;
}

/** The last row of each key: PostgreSQL refuses to write one row twice in a statement, where SQLite lets the last win. */
export function lastOfEach<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}
