import { setImmediate } from 'node:timers/promises';
import { Instant } from '@parlance/decider';
import { type Cursor, type Page, projection, put, type Query, remove, table } from '@parlance/read-models';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { query } from '../bus.ts';
import type { IdentityEvent } from '../domain/events.ts';
import { builtInGroups, foldedName, isBuiltIn } from '../domain/groups.ts';

export const GroupRow = z.object({
  name: z.string(),
  built_in: z.boolean(),
  /** Null for built-in groups. */
  create_time: z.int().nullable().describe('Time in epoch seconds.'),
});
export type GroupRow = z.infer<typeof GroupRow>;

nameSchemas({ Group: GroupRow });

const builtInRow = (name: string): GroupRow => ({ name, built_in: true, create_time: null });

export const groupRows = table<GroupRow>('groups');

export const customGroups = projection<IdentityEvent>({
  name: 'groups',
  version: 1,
  tables: [groupRows],
  on: {
    GroupCreated: ({ name }, { metadata }) => [
      put(groupRows, name, { name, built_in: false, create_time: Instant.toSeconds(metadata.at) }),
    ],
    GroupDeleted: ({ name }) => [remove(groupRows, name)],
  },
});

/** The group with this name, in any encoding of accents. */
export const GroupByName = query('GroupByName', async (models, name: string): Promise<GroupRow | null> => {
  if (isBuiltIn(name)) return builtInRow(name);
  return (await models.get(groupRows, name)) ?? models.get(groupRows, name.normalize('NFC'));
});

/** Groups of one read, which takes a few milliseconds. */
const READ_AT_ONCE = 1_000;

/** Groups whose name begins with the prefix, sorted by name, in any case and with any encoding of accents. */
export const AllGroups = query('AllGroups', async (models, prefix: string): Promise<readonly GroupRow[]> => {
  const wanted = foldedName(prefix);
  const isWanted = ({ name }: GroupRow) => foldedName(name).startsWith(wanted);
  const found = builtInGroups.map(builtInRow).filter(isWanted);
  for (let after: Cursor | null = null; ;) {
    const from: Partial<Query> = after === null ? {} : { after };
    const { rows, next }: Page<GroupRow> = await models.find(groupRows, { index: 'key', limit: READ_AT_ONCE, ...from });
    found.push(...rows.filter(isWanted));
    if (next === null) break;
    after = next;
    await setImmediate();
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
});
