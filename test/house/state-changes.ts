import { parseSync, Visitor } from "rolldown/utils";

/** A function that can change what the store holds. */
export interface StateChange {
  /** `path: name`, or `path: class.name`. */
  readonly name: string;
  /** Whether it takes the proof of a checked right, or checks the right itself. */
  readonly isPermitted: boolean;
}

/** Parameters that carry a permit: the permit itself, or a context whose type has one as a field. */
const carriesPermit = /\b(?:Permit<|CheckedRight<|LlmOperator\b|LlmAdmin\b|TriggerContext\b|PublishedContext\b)/;

/** The writing half of a port as a parameter. `Kept<Reads, Writes>` is not one: what uses it opens a transaction. */
const takesWrites = /:\s*(?:Pick<)?\w*Writes\b/;

/**
 * Functions that open a transaction, and exported ones that are handed the writing half of a port: everything outside
 * of `store` that changes state is one of these two.
 */
export function stateChangesIn(path: string, source: string): readonly StateChange[] {
  const changes: StateChange[] = [];
  let exported = { start: -1, end: -1 };
  const classes: { name: string; end: number }[] = [];
  const add = (name: string, whole: { start: number; end: number }, signature: string): void => {
    const text = source.slice(whole.start, whole.end);
    const opensTransaction = /\.transaction\(/.test(text);
    const isExported = exported.start <= whole.start && whole.end <= exported.end;
    const isHandedWrites = isExported && takesWrites.test(signature);
    if (!opensTransaction && !isHandedWrites) return;
    const within = classes.find(({ end }) => whole.end <= end);
    const full = within === undefined ? name : `${within.name}.${name}`;
    changes.push({
      name: `${path}: ${full}`,
      isPermitted: carriesPermit.test(signature) || /\brequireRight\(/.test(text),
    });
  };
  new Visitor({
    ExportNamedDeclaration(node) {
      exported = node;
    },
    ClassDeclaration(node) {
      classes.unshift({ name: node.id?.name ?? "", end: node.end });
    },
    FunctionDeclaration(node) {
      const { params, body } = node;
      if (body === null) return;
      const first = params[0]?.start ?? body.start;
      add(node.id?.name ?? "", node, source.slice(first, params.at(-1)?.end ?? first));
    },
    MethodDefinition(node) {
      const { params, body } = node.value;
      if (body === null) return;
      const first = params[0]?.start ?? body.start;
      add(source.slice(node.key.start, node.key.end), node, source.slice(first, params.at(-1)?.end ?? first));
    },
    VariableDeclarator(node) {
      const { init } = node;
      if (init?.type !== "ArrowFunctionExpression") return;
      const first = init.params[0]?.start ?? init.body.start;
      const last = init.params.at(-1)?.end ?? first;
      add(source.slice(node.id.start, node.id.end), node, source.slice(first, last));
    },
  }).visit(parseSync(path, source).program);
  return changes;
}
