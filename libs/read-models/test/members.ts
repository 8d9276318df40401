import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventStore } from '@parlance/event-store/sqlite';
import { openSqliteFile } from '@parlance/sqlite';
import fc from 'fast-check';
import { atEnd } from './accounts.ts';
import { Neighbour } from './topics.ts';
import { add, update } from '../src/changes.ts';
import type { Failure } from '../src/errors.ts';
import { foreignProjection, type ForeignProjection } from '../src/projection.ts';
import { Projector } from '../src/running/projector.ts';
import { openSqliteReadModels } from '../src/sqlite/sqlite-read-models.ts';
import { table } from '../src/table.ts';

export interface Joined {
  readonly id: string;
  readonly type: 'joined' | 'unheard';
  readonly subject: string;
  readonly member: string;
}

export const groups = table<{ readonly size: number }>('groups');
export const lists = table<{ readonly members: readonly string[] }>('lists');

/** Members whose events fail. */
export const broken = new Set<string>();
export const members = foreignProjection<Joined & { readonly type: 'joined' }>({
  name: 'members',
  version: 1,
  tables: [groups, lists],
  on: {
    joined: ({ subject, member }) => {
      if (broken.has(member)) throw new Error('no such member');
      return [add(groups, 'all', { size: 1 }, {}), update(lists, subject, (row) => ({ members: [...(row?.members ?? []), member] }))];
    },
  },
});
export const parking: ForeignProjection = { ...members, onError: 'park' };
export const GROUP = 'analytics.members.v1';

export async function service() {
  const directory = await mkdtemp(join(tmpdir(), 'foreign-'));
  atEnd(() => rm(directory, { recursive: true }));
  const file = await openSqliteFile(join(directory, 'service.db'), { sync: () => Promise.resolve() });
  atEnd(() => file.close());
  const store = await openSqliteEventStore(file);
  const neighbour = new Neighbour();
  let sent = 0;
  return {
    file,
    neighbour,
    join(subject: string, ...names: readonly string[]) {
      neighbour.say(subject, ...names.map((member) => ({ id: `e${(sent += 1)}`, type: 'joined', member })));
    },
    async start(projection: ForeignProjection = members) {
      const models = await openSqliteReadModels(file);
      const failures: Failure[] = [];
      const projector = new Projector({
        store,
        models,
        projections: [],
        foreign: { service: 'analytics', projections: [projection], topics: neighbour, published: neighbour.published },
        onError: (failure) => failures.push(failure),
      });
      atEnd(() => projector.stop());
      await projector.start();
      const rows = async () => {
        const { keys, rows: found } = await models.find(lists, { index: 'key', limit: 1_000 });
        return Object.fromEntries(keys.map((key, place) => [key, found[place]!.members]));
      };
      return { models, projector, failures, rows, isReady: () => projector.ready().length === 0 };
    },
  };
}

export function bySubject(neighbour: Neighbour): Record<string, string[]> {
  const rows: Record<string, string[]> = {};
  for (const event of neighbour.log as unknown as readonly Joined[]) {
    if (event.type === 'joined') (rows[event.subject] ??= []).push(event.member);
  }
  return rows;
}

type Action =
  | { readonly do: 'join'; readonly subject: string; readonly members: readonly string[] }
  | { readonly do: 'send' | 'rewind'; readonly count: number }
  | { readonly do: 'restart' | 'wait' };

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      subject: fc.constantFrom('r', 's', 't', 'u'),
      members: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('send' as const, 'rewind' as const), count: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'wait' as const) }) },
);
