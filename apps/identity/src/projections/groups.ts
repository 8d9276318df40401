import { Instant } from '@parlance/decider';
import { query } from '@parlance/foundation';
import { projection, put, remove, table } from '@parlance/read-models';
import type { IdentityEvent } from '../domain/events.ts';
import { builtInGroups } from '../domain/groups.ts';

export interface GroupRow {
  name: string;
  built_in: boolean;
  /** Null for those that were always there. */
  create_time: number | null;
}

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

const folded = (text: string): string => text.toLowerCase().normalize('NFC');

/** Beyond this, groups are no longer something that people choose from a list. */
const most = 10_000;

/** All groups by name, or those whose name begins so, whatever the case, and however accents are written. */
export const AllGroups = query('AllGroups', async (models, prefix: string): Promise<readonly GroupRow[]> => {
  const { rows } = await models.find(groupRows, { index: 'key', limit: most });
  const all: GroupRow[] = [...builtInGroups.map((name) => ({ name, built_in: true, create_time: null })), ...rows];
  const wanted = folded(prefix);
  return all.filter(({ name }) => folded(name).startsWith(wanted)).sort((a, b) => (a.name < b.name ? -1 : 1));
});
