import { type Decider, refuse } from '@parlance/decider';

/** Groups that always exist. `Admin` implies the other two. */
export const builtInGroups = ['Admin', 'CreatingBotAllowed', 'PublishAllowed'] as const;

/** Groups that administrators created, to share bots with. `creation` distinguishes a retry from a second request with the same name. */
export type GroupsCommand =
  | { type: 'Create'; name: string; creation: string }
  | { type: 'Delete'; name: string }
  | { type: 'Emptied'; name: string };

export type GroupsEvent =
  | { type: 'GroupCreated'; name: string; creation: string }
  | { type: 'GroupDeleted'; name: string }
  | { type: 'GroupEmptied'; name: string };

export const groupNotFound = () => refuse('missing', 'group_not_found', 'There is no such group.');

/** The ID of each group's creation, by name. Null while the members of a deleted group are leaving it. */
type Creations = Readonly<Record<string, string | null>>;

/** Changes go to the small record `recent`, so that an event does not copy the names of thousands of groups. */
export interface Groups {
  readonly settled: Creations;
  readonly recent: Creations;
}

const MOST_RECENT = 100;

export const groups: Decider<GroupsCommand, GroupsEvent, Groups> = {
  initialState: { settled: {}, recent: {} },
  // Without snapshots, each use of a service account's token reads all events.
  snapshots: { every: 100, shape: 'groups@1' },

  decide(command, state) {
    if (command.type === 'Delete') {
      const name = findGroupName(state, command.name);
      if (name === null) return groupNotFound();
      return isBuiltIn(name)
        ? refuse('conflict', 'group_built_in', `The group ${name} is built in. It cannot be deleted.`)
        : [{ type: 'GroupDeleted', name }];
    }
    const { name } = command;
    const isBeingDeleted = isBeingLeft(state, name);
    if (command.type === 'Emptied') return isBeingDeleted ? [{ type: 'GroupEmptied', name }] : [];
    // Otherwise members of the old group would be members of the new one.
    if (isBeingDeleted) return refuse('conflict', 'group_being_deleted', 'A group of this name is being deleted. Try again in a moment.');
    if (entryOf(state, name) === command.creation) return [];
    // Names that differ only by case or by the encoding of accents would be confused.
    const folded = foldedName(name);
    const taken = [...builtInGroups, ...Object.keys(state.settled), ...Object.keys(state.recent)].some(
      (other) => foldedName(other) === folded,
    );
    return taken
      ? refuse('conflict', 'group_exists', 'A group with this name already exists.')
      : [{ type: 'GroupCreated', name, creation: command.creation }];
  },

  evolve({ settled, recent }, event) {
    if (event.type === 'GroupEmptied') {
      const { [event.name]: _, ...others } = { ...settled, ...recent };
      return { settled: others, recent: {} };
    }
    const changed = { ...recent, [event.name]: event.type === 'GroupCreated' ? event.creation : null };
    if (Object.keys(changed).length < MOST_RECENT) return { settled, recent: changed };
    return { settled: { ...settled, ...changed }, recent: {} };
  },
};

/** Undefined if there is no such group. */
const entryOf = ({ settled, recent }: Groups, name: string): string | null | undefined => {
  if (Object.hasOwn(recent, name)) return recent[name];
  return Object.hasOwn(settled, name) ? settled[name] : undefined;
};

export const isBuiltIn = (name: string): boolean => (builtInGroups as readonly string[]).includes(name);

export const isGroup = (state: Groups, name: string): boolean => isBuiltIn(name) || typeof entryOf(state, name) === 'string';

/** Whether the members of the deleted group are leaving it. */
export const isBeingLeft = (state: Groups, name: string): boolean => entryOf(state, name) === null;

/** Distinguishes a group from a later one that got its name after its deletion. Null for built-in groups, which are never deleted. */
export const creationOf = (state: Groups, name: string): string | null => entryOf(state, name) ?? null;

/** Whether the group with this creation exists. Service accounts of earlier versions have only the name of their group. */
export const isSameGroup = (state: Groups, name: string, creation: string | null | undefined): boolean =>
  isGroup(state, name) && (creation === undefined || creationOf(state, name) === creation);

/** The group's stored name, whatever the encoding of accents. Null if there is no such group. */
export const findGroupName = (state: Groups, name: string): string | null =>
  [name, name.normalize('NFC')].find((spelling) => isGroup(state, spelling)) ?? null;

/** The form in which names of groups are compared. */
export const foldedName = (name: string): string => name.toLowerCase().normalize('NFC');

export const groupsStream = 'groups';
