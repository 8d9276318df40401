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

/** By name, the ID of the creation. Null while the members of a deleted group are leaving it. */
export type Groups = Readonly<Record<string, string | null>>;

export const groups: Decider<GroupsCommand, GroupsEvent, Groups> = {
  initialState: {},

  decide(command, made) {
    if (command.type === 'Delete') {
      const name = findGroupName(made, command.name);
      if (name === null) return groupNotFound();
      return isBuiltIn(name)
        ? refuse('conflict', 'group_built_in', `The group ${name} is built in. It cannot be deleted.`)
        : [{ type: 'GroupDeleted', name }];
    }
    const { name } = command;
    const isLeaving = Object.hasOwn(made, name) && made[name] === null;
    if (command.type === 'Emptied') return isLeaving ? [{ type: 'GroupEmptied', name }] : [];
    // Otherwise members of the old group would be members of the new one.
    if (isLeaving) return refuse('conflict', 'group_being_deleted', 'A group of this name is being deleted. Try again in a moment.');
    if (Object.hasOwn(made, name) && made[name] === command.creation) return [];
    // Names that differ only by case or by the encoding of accents would be confused.
    const taken = [...builtInGroups, ...Object.keys(made)].some((other) => foldedName(other) === foldedName(name));
    return taken
      ? refuse('conflict', 'group_exists', 'A group with this name already exists.')
      : [{ type: 'GroupCreated', name, creation: command.creation }];
  },

  evolve(made, event) {
    if (event.type === 'GroupCreated') return { ...made, [event.name]: event.creation };
    if (event.type === 'GroupDeleted') return { ...made, [event.name]: null };
    const { [event.name]: _, ...others } = made;
    return others;
  },
};

export const isBuiltIn = (name: string): boolean => (builtInGroups as readonly string[]).includes(name);

export const isGroup = (made: Groups, name: string): boolean => isBuiltIn(name) || (Object.hasOwn(made, name) && made[name] !== null);

/** Distinguishes a group from a later one that got its name after its deletion. Null for built-in groups, which are never deleted. */
export const creationOf = (made: Groups, name: string): string | null => (Object.hasOwn(made, name) ? made[name]! : null);

/** Whether the group with this creation exists. Service accounts of earlier versions have only the name of their group. */
export const isSameGroup = (made: Groups, name: string, creation: string | null | undefined): boolean =>
  isGroup(made, name) && (creation === undefined || creationOf(made, name) === creation);

/** The group's stored name, whatever the encoding of accents. Null if there is no such group. */
export const findGroupName = (made: Groups, name: string): string | null =>
  [name, name.normalize('NFC')].find((spelling) => isGroup(made, spelling)) ?? null;

/** The form in which names of groups are compared. */
export const foldedName = (name: string): string => name.toLowerCase().normalize('NFC');

export const groupsStream = 'groups';
