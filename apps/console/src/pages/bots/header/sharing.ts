import type { Bot, SharingBody } from '@parlance/client/types';

export interface Person {
  readonly kind: 'user' | 'group';
  /** ID of the user, or name of the group. */
  readonly id: string;
  readonly mayEdit: boolean;
}

export interface Sharing {
  readonly scope: Bot['shared_scope'];
  readonly people: readonly Person[];
}

type Shared = Pick<Bot, 'shared_scope' | 'allowed_user_ids' | 'allowed_group_ids' | 'editor_user_ids' | 'editor_group_ids'>;

/** Groups first, because they stand for many users. */
export function sharingOf(bot: Shared): Sharing {
  const of = (kind: Person['kind'], ids: readonly string[] = [], editors: readonly string[] = []): Person[] =>
    ids.map((id) => ({ kind, id, mayEdit: editors.includes(id) }));
  return {
    scope: bot.shared_scope,
    people: [...of('group', bot.allowed_group_ids, bot.editor_group_ids), ...of('user', bot.allowed_user_ids, bot.editor_user_ids)],
  };
}

/** A private bot has no lists. A bot for all users keeps those of its editors. */
export function bodyOf({ scope, people }: Sharing): SharingBody {
  if (scope === 'private') return { target_shared_scope: scope };
  const ids = (kind: Person['kind'], areEditors = false) =>
    people.filter((person) => person.kind === kind && (!areEditors || person.mayEdit)).map(({ id }) => id);
  return {
    target_shared_scope: scope,
    target_allowed_user_ids: ids('user'),
    target_allowed_group_ids: ids('group'),
    target_editor_user_ids: ids('user', true),
    target_editor_group_ids: ids('group', true),
  };
}

/** Whether nobody is chosen yet. */
export const isIncomplete = ({ scope, people }: Sharing): boolean => scope === 'partial' && people.length === 0;
