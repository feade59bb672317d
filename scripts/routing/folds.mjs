/** Questions that belong together: those of one skill, of skills that are right answers to one question, and of skills of one name. */
export function groupsOf(questions, nameOf) {
  const parents = new Map();
  const find = (key) => {
    let root = key;
    while (parents.has(root)) root = parents.get(root);
    if (root !== key) parents.set(key, root);
    return root;
  };
  const unite = (one, other) => {
    const [first, second] = [find(one), find(other)];
    if (first !== second) parents.set(first, second);
  };
  for (const ids of questions)
    for (const id of ids) {
      unite(`id ${ids[0]}`, `id ${id}`);
      unite(`id ${id}`, `name ${nameOf(id)}`);
    }
  return questions.map((ids) => find(`id ${ids[0]}`));
}

/** Deals groups to so many folds of about one size, always in the same way. */
export function foldsOf(groups, count) {
  const sizes = new Map();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const loads = Array.from({ length: count }, () => 0);
  const folds = new Map();
  for (const [group, size] of [...sizes].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const fold = loads.indexOf(Math.min(...loads));
    loads[fold] += size;
    folds.set(group, fold);
  }
  return groups.map((group) => folds.get(group));
}

/** One group with many questions must not outweigh the others. */
export function weightsOf(groups) {
  const sizes = new Map();
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return groups.map((group) => 1 / Math.sqrt(sizes.get(group)));
}
