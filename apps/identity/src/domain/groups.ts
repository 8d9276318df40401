import { type Decider, refuse } from '@parlance/decider';

/** `Admin` implies the other two. They are always there. */
export const builtInGroups = ['Admin', 'CreatingBotAllowed', 'PublishAllowed'] as const;

/** The groups that administrators made, for sharing with some. `creation` tells a retry from a second one of the same name. */
export type GroupsCommand = { type: 'Create'; name: string; creation: string } | { type: 'Delete'; name: string };
export type GroupsEvent = { type: 'GroupCreated'; name: string; creation: string } | { type: 'GroupDeleted'; name: string };
/** From name to creation. */
export type Groups = Readonly<Record<string, string>>;

export const groups: Decider<GroupsCommand, GroupsEvent, Groups> = {
  initialState: {},

  decide(command, made) {
    const { name } = command;
    if (command.type === 'Delete') {
      if (isBuiltIn(name)) return refuse('conflict', 'group_built_in', `${name} is always there.`);
      return Object.hasOwn(made, name) ? [{ type: 'GroupDeleted', name }] : refuse('missing', 'group_not_found', 'There is no such group.');
    }
    if (Object.hasOwn(made, name) && made[name] === command.creation) return [];
    // Two groups that differ by case alone would be taken for each other.
    const taken = [...builtInGroups, ...Object.keys(made)].some((other) => other.toLowerCase() === name.toLowerCase());
    return taken
      ? refuse('conflict', 'group_exists', 'There is a group of this name.')
      : [{ type: 'GroupCreated', name, creation: command.creation }];
  },

  evolve(made, event) {
    if (event.type === 'GroupCreated') return { ...made, [event.name]: event.creation };
    const { [event.name]: _, ...others } = made;
    return others;
  },
};

export const isBuiltIn = (name: string): boolean => (builtInGroups as readonly string[]).includes(name);

export const isGroup = (made: Groups, name: string): boolean => isBuiltIn(name) || Object.hasOwn(made, name);

export const groupsStream = 'groups';
