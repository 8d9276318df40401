import { type Decider, type Decision, onHold, refuse } from '@parlance/decider';
import { MAX_MEMORIES, MAX_MEMORIES_OF_REPLY } from './memory-limits.ts';
import { memoryIsOff, memoryNotFound, tooManyMemories, tooManyMemoriesOfReply } from './memory-refusals.ts';

/** The reply in which a model has added an entry. */
export interface MemoryOrigin {
  readonly conversationId: string;
  readonly replyId: string;
}

/** Texts are sealed. `holds`: IDs of the holds on the user, which only an administrator sees. */
export type MemoryCommand =
  /** `origin`: null if the user adds it. */
  | { type: 'Add'; memoryId: string; text: string; origin: MemoryOrigin | null }
  | { type: 'Change'; memoryId: string; text: string }
  | { type: 'Remove'; memoryId: string; holds: readonly string[]; forAdmin: boolean }
  /** `memoryIds`: entries whose keys were destroyed. */
  | { type: 'RemoveAll'; memoryIds: readonly string[]; holds: readonly string[]; forAdmin: boolean }
  /** The conversation that these entries came from is being erased. Their keys were destroyed. */
  | { type: 'RemoveOfConversation'; memoryIds: readonly string[] }
  | { type: 'Turn'; isOn: boolean }
  /** The user is erased. */
  | { type: 'Erase' };

export type MemoryEvent =
  /** `origin`: absent if the user has added it. */
  | { type: 'MemoryAdded'; memoryId: string; text: string; origin?: MemoryOrigin }
  | { type: 'MemoryChanged'; memoryId: string; text: string }
  /** The key of the text is destroyed before this event. */
  | { type: 'MemoryRemoved'; memoryId: string; because: 'user' | 'conversation_erased' | 'user_erased' }
  | { type: 'MemoryTurnedOn' }
  | { type: 'MemoryTurnedOff' }
  /** The user is erased: nothing can be added from now on. */
  | { type: 'MemoryErased'; memories: number };

export interface Memory {
  /** Off until the user turns it on. */
  readonly isOn: boolean;
  /** The origins of the entries, by ID. Null for entries of the user. */
  readonly entries: Readonly<Record<string, MemoryOrigin | null>>;
  readonly isErased: boolean;
}

/** What the model may know about one user. */
export const memory: Decider<MemoryCommand, MemoryEvent, Memory> = {
  initialState: { isOn: false, entries: {}, isErased: false },
  snapshots: { every: 50, shape: 'memory-1' },

  decide(command, state) {
    if (state.isErased) return command.type === 'Erase' || command.type === 'RemoveOfConversation' ? [] : userErased();
    switch (command.type) {
      case 'Add':
        return add(command, state);
      case 'Change': {
        const { memoryId, text } = command;
        return memoryId in state.entries ? [{ type: 'MemoryChanged', memoryId, text }] : memoryNotFound();
      }
      case 'Remove': {
        const { memoryId, holds, forAdmin } = command;
        if (!(memoryId in state.entries)) return memoryNotFound();
        return holds.length > 0 ? onHold(holds, forAdmin) : [{ type: 'MemoryRemoved', memoryId, because: 'user' }];
      }
      case 'RemoveAll': {
        const { holds, forAdmin } = command;
        const all = stillIn(state, command.memoryIds);
        return holds.length > 0 && all.length > 0 ? onHold(holds, forAdmin) : removed(all, 'user');
      }
      case 'RemoveOfConversation':
        return removed(stillIn(state, command.memoryIds), 'conversation_erased');
      case 'Turn':
        if (command.isOn === state.isOn) return [];
        return [{ type: command.isOn ? 'MemoryTurnedOn' : 'MemoryTurnedOff' }];
      case 'Erase': {
        const all = Object.keys(state.entries);
        return [...removed(all, 'user_erased'), { type: 'MemoryErased', memories: all.length }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'MemoryAdded':
        return { ...state, entries: { ...state.entries, [event.memoryId]: event.origin ?? null } };
      case 'MemoryChanged':
        return state;
      case 'MemoryRemoved': {
        const { [event.memoryId]: _, ...entries } = state.entries;
        return { ...state, entries };
      }
      case 'MemoryTurnedOn':
        return { ...state, isOn: true };
      case 'MemoryTurnedOff':
        return { ...state, isOn: false };
      case 'MemoryErased':
        return { ...state, isOn: false, isErased: true };
    }
  },
};

/** The user may add entries while the memory is off. A model may not: the user may have turned it off after the reply began. */
function add({ memoryId, text, origin }: Extract<MemoryCommand, { type: 'Add' }>, { isOn, entries }: Memory): Decision<MemoryEvent> {
  // A repeat of the request.
  if (memoryId in entries) return [];
  if (origin && !isOn) return memoryIsOff();
  if (origin && Object.values(entries).filter((each) => each?.replyId === origin.replyId).length >= MAX_MEMORIES_OF_REPLY)
    return tooManyMemoriesOfReply();
  if (Object.keys(entries).length >= MAX_MEMORIES) return tooManyMemories();
  return [{ type: 'MemoryAdded', memoryId, text, ...(origin && { origin }) }];
}

const stillIn = ({ entries }: Memory, ids: readonly string[]): readonly string[] => ids.filter((id) => id in entries);

const removed = (ids: readonly string[], because: Extract<MemoryEvent, { type: 'MemoryRemoved' }>['because']): MemoryEvent[] =>
  ids.map((memoryId) => ({ type: 'MemoryRemoved', memoryId, because }));

/** The IDs of the entries that were added in a conversation. */
export const memoriesOf = ({ entries }: Memory, conversationId: string): readonly string[] =>
  Object.keys(entries).filter((id) => entries[id]?.conversationId === conversationId);

const userErased = () => refuse('missing', 'user_not_found', 'This user was erased.');

export const memoryStream = (userId: string) => `memory-${userId}`;
