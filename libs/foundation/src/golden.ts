import { publicEvents } from '@parlance/contracts';
import { type Decider, fold, Instant } from '@parlance/decider';
import { type Commit, Upcasters } from '@parlance/event-store';
import type { Outgoing } from '@parlance/messaging';

interface StoredRecord {
  readonly schema: number;
  readonly event: { readonly type: string };
}

/** Reads streams of earlier releases as the current service does, for the golden files of its tests. */
export function readerOf(
  deciders: Readonly<Record<string, Pick<Decider<never, never, unknown>, 'evolve' | 'initialState' | 'snapshots'>>>,
  publish: (commit: Commit) => readonly Outgoing[],
  upcasters = new Upcasters(),
) {
  const present = (events: readonly StoredRecord[]) =>
    events.map(({ schema, event }, index) => upcasters.present({ id: `e${index}`, schema, event }));
  const deciderOf = (stream: string) => {
    const kind = stream.split('-', 1)[0] as string;
    const decider = deciders[kind];
    if (!decider) throw new Error(`no decider was passed for ${kind}`);
    return decider;
  };
  return {
    state: (stream: string, events: readonly StoredRecord[]): unknown =>
      fold(
        deciderOf(stream),
        present(events).map(({ event }) => event as never),
      ),
    shape: (stream: string): string | null => deciderOf(stream).snapshots?.shape ?? null,
    says(stream: string, events: readonly StoredRecord[]) {
      const commit: Commit = { position: 1, version: 1, stream, events: present(events), metadata };
      return publish(commit).map(({ event: { type, data } }) => ({ type, data }));
    },
    objection(type: string, data: unknown): string | null {
      const known = publicEvents.find((event) => event.type === type);
      const read = known?.schema.safeParse(data);
      return read?.success ? null : `${type}: ${read?.error.message ?? 'is not a public event'}`;
    },
  };
}

const metadata: Commit['metadata'] = {
  at: Instant.ofMillis(0),
  actor: null,
  ip: null,
  userAgent: null,
  requestId: 'golden',
  correlationId: 'golden',
  causationId: null,
};
