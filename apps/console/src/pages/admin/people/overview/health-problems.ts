import type { Health } from '@parlance/client/types';

/** A problem of a service, by its kind. The page has the texts. */
export interface Problem {
  readonly kind: 'unreachable' | 'degraded' | 'store' | 'object-store' | 'dead-letters' | 'broker';
  readonly service: string | null;
  /** The number of events, for dead letters. */
  readonly count: number | null;
}

const ORDER: readonly Problem['kind'][] = ['broker', 'unreachable', 'store', 'object-store', 'degraded', 'dead-letters'];

/** The current problems, worst first. */
export function problemsOf({ services, stores, broker }: Health): readonly Problem[] {
  const problems: Problem[] = broker.status === 'down' ? [{ kind: 'broker', service: null, count: null }] : [];
  for (const { service, kind, status } of stores) {
    if (status === 'down') problems.push({ kind: kind === 'database' ? 'store' : 'object-store', service, count: null });
  }
  for (const { name, status, dead_letters } of services) {
    const hasLetters = dead_letters !== null && dead_letters > 0;
    if (hasLetters) problems.push({ kind: 'dead-letters', service: name, count: dead_letters });
    if (status === 'unreachable') problems.push({ kind: 'unreachable', service: name, count: null });
    // A known reason is already listed above.
    else if (status === 'degraded' && !problems.some(({ service }) => service === name)) {
      problems.push({ kind: 'degraded', service: name, count: null });
    }
  }
  return problems.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}
