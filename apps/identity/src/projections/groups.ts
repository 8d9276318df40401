import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Instant } from '@parlance/decider';
import { projection, put, ReadModels, remove, table } from '@parlance/read-models';
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

/** All groups by name, or those whose name begins so, whatever the case, and however accents are written. */
export class AllGroups extends Query<readonly GroupRow[]> {
  constructor(readonly prefix = '') {
    super();
  }
}

const folded = (text: string): string => text.toLowerCase().normalize('NFC');

/** Beyond this, groups are no longer something that people choose from a list. */
const most = 10_000;

@QueryHandler(AllGroups)
export class FindAllGroups implements IQueryHandler<AllGroups> {
  constructor(private readonly models: ReadModels) {}

  async execute({ prefix }: AllGroups) {
    const { rows } = await this.models.find(groupRows, { index: 'key', limit: most });
    const all: GroupRow[] = [...builtInGroups.map((name) => ({ name, built_in: true, create_time: null })), ...rows];
    const wanted = folded(prefix);
    return all.filter(({ name }) => folded(name).startsWith(wanted)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
