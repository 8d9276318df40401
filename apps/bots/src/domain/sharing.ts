import { type Refusal, refuse } from '@parlance/decider';

/** The scopes of a bot: its owner only, listed users and groups, or every user. */
export const SCOPES = ['private', 'partial', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/** Every row of a bot contains these lists, so they must be short. To share with more users, share with a group. */
export const MOST_ALLOWED_USERS = 200;
export const MOST_ALLOWED_GROUPS = 100;

/**
 * The users and groups that a bot is shared with. The editor lists are subsets of the other two. A bot that is shared with all
 * users keeps its lists, because of its editors.
 */
export interface Sharing {
  readonly scope: Scope;
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly editorUserIds: readonly string[];
  readonly editorGroupIds: readonly string[];
}

export const PRIVATE: Sharing = { scope: 'private', userIds: [], groupIds: [], editorUserIds: [], editorGroupIds: [] };

/** A request to share. Absent lists stay, except for a private bot, whose lists are empty. */
export interface SharingRequest {
  readonly scope: Scope;
  readonly userIds?: readonly string[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
  readonly editorUserIds?: readonly string[] | undefined;
  readonly editorGroupIds?: readonly string[] | undefined;
}

/** The sharing after a request, or the refusal `editor_not_listed` (invalid). */
export function sharingAfter(request: SharingRequest, before: Sharing): Sharing | Refusal {
  const after = requested(request, before);
  const outside = (editors: readonly string[], listed: readonly string[]) => editors.find((editor) => !listed.includes(editor));
  const stray = outside(after.editorUserIds, after.userIds) ?? outside(after.editorGroupIds, after.groupIds);
  return stray === undefined
    ? after
    : refuse('invalid', 'editor_not_listed', `The editor ${stray} must be in the list of allowed users or groups too.`);
}

function requested({ scope, ...lists }: SharingRequest, before: Sharing): Sharing {
  if (scope === 'private') return PRIVATE;
  const { userIds = before.userIds, groupIds = before.groupIds } = lists;
  const {
    editorUserIds = before.editorUserIds.filter((id) => userIds.includes(id)),
    editorGroupIds = before.editorGroupIds.filter((id) => groupIds.includes(id)),
  } = lists;
  return { scope, userIds, groupIds, editorUserIds, editorGroupIds };
}

/** A user, with the groups in their access token. */
export interface Person {
  readonly userId: string;
  readonly groups: readonly string[];
}

/** The relations of a user to a bot, from the most rights to the fewest. */
export const RELATIONS = ['owner', 'admin', 'editor', 'viewer', 'none'] as const;
export type Relation = (typeof RELATIONS)[number];

export const ADMIN_GROUP = 'Admin';

/** Decides which bots a user may see and change. Every query, every command, the internal lookup and the store use this function. */
export function relationOf(person: Person, bot: { readonly ownerUserId: string; readonly sharing: Sharing }): Relation {
  const { scope, userIds, groupIds, editorUserIds, editorGroupIds } = bot.sharing;
  if (bot.ownerUserId === person.userId) return 'owner';
  if (scope === 'private') return 'none';
  if (person.groups.includes(ADMIN_GROUP)) return 'admin';
  const isIn = (users: readonly string[], groups: readonly string[]) =>
    users.includes(person.userId) || groups.some((group) => person.groups.includes(group));
  if (isIn(editorUserIds, editorGroupIds)) return 'editor';
  return scope === 'all' || isIn(userIds, groupIds) ? 'viewer' : 'none';
}

export const maySee = (relation: Relation): boolean => relation !== 'none';
export const mayConfigure = (relation: Relation): boolean => relation === 'owner' || relation === 'admin' || relation === 'editor';
export const mayShare = (relation: Relation): boolean => relation === 'owner' || relation === 'admin';

/** The audience of all bots that are not private. Administrators see it. */
export const SHARED_AUDIENCE = 'shared';
const EVERYBODY = 'all';
export const userAudience = (userId: string) => `user:${userId}`;
export const groupAudience = (group: string) => `group:${group}`;

/** The audiences under which a bot is listed. */
export function audiencesOf({ scope, userIds, groupIds }: Sharing): readonly string[] {
  if (scope === 'private') return [];
  return [SHARED_AUDIENCE, ...(scope === 'all' ? [EVERYBODY] : []), ...userIds.map(userAudience), ...groupIds.map(groupAudience)];
}

/** The audiences that a user belongs to. The user sees exactly the bots of these audiences, and their own bots. */
export function audiencesWith({ userId, groups }: Person): readonly string[] {
  if (groups.includes(ADMIN_GROUP)) return [SHARED_AUDIENCE];
  return [EVERYBODY, userAudience(userId), ...groups.map(groupAudience)];
}

/** The users and groups that a change lists. None if all users could see the bot before. */
export function addedBy(before: Sharing, after: Sharing): Pick<Sharing, 'userIds' | 'groupIds'> {
  if (before.scope === 'all') return { userIds: [], groupIds: [] };
  return {
    userIds: after.userIds.filter((id) => !before.userIds.includes(id)),
    groupIds: after.groupIds.filter((id) => !before.groupIds.includes(id)),
  };
}

/** Whether the bot is shared only with listed users and groups, but none are listed. */
export const hasEmptyLists = ({ scope, userIds, groupIds }: Sharing): boolean =>
  scope === 'partial' && userIds.length === 0 && groupIds.length === 0;

export type SharingChange = 'none' | 'widened' | 'narrowed' | 'editors';

/** `narrowed` if a user or a group loses access, even if others gain it. */
export function changeOf(before: Sharing, after: Sharing): SharingChange {
  const [rankBefore, rankAfter] = [SCOPES.indexOf(before.scope), SCOPES.indexOf(after.scope)];
  if (rankAfter !== rankBefore) return rankAfter < rankBefore ? 'narrowed' : 'widened';
  if (after.scope === 'partial') {
    const loses = (old: readonly string[], now: readonly string[]) => old.some((one) => !now.includes(one));
    if (loses(before.userIds, after.userIds) || loses(before.groupIds, after.groupIds)) return 'narrowed';
    if (loses(after.userIds, before.userIds) || loses(after.groupIds, before.groupIds)) return 'widened';
  }
  const lists = ['userIds', 'groupIds', 'editorUserIds', 'editorGroupIds'] as const;
  return lists.every((list) => isSameList(before[list], after[list])) ? 'none' : 'editors';
}

/** Ignores the order of the lists. */
const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));

/** The sharing without a user or a group that no longer exists. */
export function without({ userIds, groupIds, editorUserIds, editorGroupIds, scope }: Sharing, gone: Gone): Sharing {
  const isKeptUser = (id: string) => gone.userId !== id;
  const isKeptGroup = (id: string) => gone.group !== id;
  return {
    scope,
    userIds: userIds.filter(isKeptUser),
    groupIds: groupIds.filter(isKeptGroup),
    editorUserIds: editorUserIds.filter(isKeptUser),
    editorGroupIds: editorGroupIds.filter(isKeptGroup),
  };
}

/** A user who was erased, or a group that was deleted. */
export interface Gone {
  readonly userId?: string;
  readonly group?: string;
}
