/** One request: when it began and was answered, on a logical clock shared by all requests, and its outcome. */
export interface Operation<Kind extends string> {
  readonly kind: Kind;
  readonly began: number;
  readonly answered: number;
}

/** The state after an operation, or null if the operation cannot have this outcome in this state. */
export type Step<Kind extends string, State> = (kind: Kind, state: State) => State | null;

/**
 * Whether the operations could have been executed one after the other, each between its start and its answer, with these outcomes. Uses the
 * search of Wing and Gong, as Porcupine does: an operation can be next if no other was answered before it began. States reached with the
 * same operations left are tried once.
 */
export function isLinearizable<Kind extends string, State extends string | number>(
  operations: readonly Operation<Kind>[],
  initial: State,
  step: Step<Kind, State>,
): boolean {
  const all = operations.toSorted((one, other) => one.began - other.began);
  const tried = new Set<string>();
  const search = (left: readonly Operation<Kind>[], state: State): boolean => {
    if (left.length === 0) return true;
    const name = `${state}:${left.map(({ began, answered, kind }) => `${began}-${answered}${kind}`).join()}`;
    if (tried.has(name)) return false;
    tried.add(name);
    const firstAnswer = Math.min(...left.map(({ answered }) => answered));
    return left.some((operation) => {
      if (operation.began > firstAnswer) return false;
      const next = step(operation.kind, state);
      return (
        next !== null &&
        search(
          left.filter((other) => other !== operation),
          next,
        )
      );
    });
  };
  return search(all, initial);
}

/** Whether a bucket admits requests at these times, in milliseconds: in each window at most `burst` and `rate` for each second of it. */
export function fitsBucket(times: readonly number[], { rate, burst }: { readonly rate: number; readonly burst: number }): boolean {
  return times.every((from, first) => times.slice(first).every((to, more) => more + 1 <= burst + ((to - from) / 1_000) * rate + ROUNDING));
}

const ROUNDING = 1e-6;
