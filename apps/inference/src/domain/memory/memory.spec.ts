import { describe, expect, it } from '@jest/globals';
import { fold, Refusal } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import fc from 'fast-check';
import { MAX_MEMORIES, MAX_MEMORIES_OF_REPLY } from './memory-limits.ts';
import { memoriesOf, memory, type MemoryCommand, type MemoryEvent, type MemoryOrigin } from './memory.ts';

const given = specify(memory);

const text = 's1.x.y';
const origin: MemoryOrigin = { conversationId: 'c', replyId: 'r' };
const add = (memoryId = 'm', from: MemoryOrigin | null = null): MemoryCommand => ({ type: 'Add', memoryId, text, origin: from });
const added = (memoryId = 'm', from?: MemoryOrigin): MemoryEvent => ({
  type: 'MemoryAdded',
  memoryId,
  text,
  ...(from && { origin: from }),
});
const removed = (memoryId: string, because: 'user' | 'conversation_erased' | 'user_erased' = 'user'): MemoryEvent => {
  return { type: 'MemoryRemoved', memoryId, because };
};
const on: MemoryEvent = { type: 'MemoryTurnedOn' };
const off: MemoryEvent = { type: 'MemoryTurnedOff' };
const erased = (memories = 0): MemoryEvent => ({ type: 'MemoryErased', memories });
const many = (count: number, from?: (index: number) => MemoryOrigin) =>
  Array.from({ length: count }, (_, index) => added(`m${index}`, from?.(index)));

describe('adding an entry', () => {
  it('is recorded, even while the memory is off', () => given().when(add()).emits(added()));
  it('is idempotent', () => given(added()).when(add()).emits());
  it('by a model is recorded with its reply', () => given(on).when(add('m', origin)).emits(added('m', origin)));
  it('by a model is refused while the memory is off', () => {
    given().when(add('m', origin)).refuses('memory_is_off');
    given(on, off).when(add('m', origin)).refuses('memory_is_off');
  });
  it('by a model is refused after a few entries in one reply', () => {
    const full = [on, ...many(MAX_MEMORIES_OF_REPLY, () => origin)];
    given(...full)
      .when(add('m', origin))
      .refuses('too_many_memories_of_reply');
    const next = { ...origin, replyId: 'next' };
    given(...full)
      .when(add('m', next))
      .emits(added('m', next));
  });
  it('is refused for a full memory, until an entry is removed', () => {
    const full = [on, ...many(MAX_MEMORIES)];
    for (const from of [null, origin])
      given(...full)
        .when(add('m', from))
        .refuses('too_many_memories');
    given(...full, removed('m0'))
      .when(add())
      .emits(added());
  });
  it('is refused once the user is erased', () => given(erased()).when(add()).refuses('user_not_found'));
});

describe('changing an entry', () => {
  const change: MemoryCommand = { type: 'Change', memoryId: 'm', text: 's1.x.z' };
  it('is recorded', () => given(added()).when(change).emits({ type: 'MemoryChanged', memoryId: 'm', text: 's1.x.z' }));
  it('does not find an entry that does not exist, or was removed', () => {
    given(added('other')).when(change).refuses('memory_not_found');
    given(added(), removed('m')).when(change).refuses('memory_not_found');
  });
});

describe('removing entries', () => {
  const remove = (holds: readonly string[] = []): MemoryCommand => ({ type: 'Remove', memoryId: 'm', holds, forAdmin: false });
  const removeAll = (memoryIds: readonly string[], holds: readonly string[] = []): MemoryCommand => {
    return { type: 'RemoveAll', memoryIds, holds, forAdmin: false };
  };
  it('is recorded for one', () => given(added(), added('n')).when(remove()).emits(removed('m')));
  it('does not find a removed one', () => given(added(), removed('m')).when(remove()).refuses('memory_not_found'));
  it('is recorded for all', () =>
    given(added(), added('n', origin))
      .when(removeAll(['m', 'n']))
      .emits(removed('m'), removed('n')));
  it('leaves entries that were not named, because their keys still exist', () => {
    given(added(), added('n'))
      .when(removeAll(['m', 'gone']))
      .emits(removed('m'));
    given(on, added('m', origin), added('n', origin))
      .when({ type: 'RemoveOfConversation', memoryIds: ['m', 'gone'] })
      .emits(removed('m', 'conversation_erased'));
  });
  it('does nothing for an empty memory, with and without a hold', () => {
    given().when(removeAll([])).emits();
    given()
      .when(removeAll([], ['h']))
      .emits();
  });
  it('is refused while a hold keeps the data of the user', () => {
    given(added())
      .when(remove(['h']))
      .refuses('on_hold');
    given(added())
      .when(removeAll(['m'], ['h']))
      .refuses('on_hold');
  });
  it('follows the erasure of the conversation that they came from', () => {
    const other = { conversationId: 'other', replyId: 'r' };
    const entries = [on, added('own'), added('m', origin), added('n', other)];
    const memoryIds = memoriesOf(fold(memory, entries), 'c');
    expect(memoryIds).toEqual(['m']);
    const erase: MemoryCommand = { type: 'RemoveOfConversation', memoryIds };
    given(...entries)
      .when(erase)
      .emits(removed('m', 'conversation_erased'));
    given(added('own')).when(erase).emits();
    given(erased()).when(erase).emits();
  });
});

describe('turning the memory on and off', () => {
  const turn = (isOn: boolean): MemoryCommand => ({ type: 'Turn', isOn });
  it('is recorded once', () => {
    given().when(turn(true)).emits(on);
    given(on).when(turn(true)).emits();
    given(on).when(turn(false)).emits(off);
    given().when(turn(false)).emits();
  });
  it('is refused once the user is erased', () => given(erased()).when(turn(true)).refuses('user_not_found'));
});

describe('erasing the user', () => {
  it('removes all entries', () =>
    given(on, added(), added('n', origin))
      .when({ type: 'Erase' })
      .emits(removed('m', 'user_erased'), removed('n', 'user_erased'), erased(2)));
  it('is idempotent', () => given(erased(2)).when({ type: 'Erase' }).emits());
});

describe('in any order of commands', () => {
  const memoryId = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const memoryIds = fc.uniqueArray(memoryId);
  const holds = fc.constantFrom([], ['h']);
  const from = fc.option(fc.record({ conversationId: fc.constantFrom('c', 'd'), replyId: fc.constantFrom('r', 's') }));
  const command: fc.Arbitrary<MemoryCommand> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('Add' as const), memoryId, text: fc.constant(text), origin: from }) },
    fc.record({ type: fc.constant('Change' as const), memoryId, text: fc.constant(text) }),
    fc.record({ type: fc.constant('Remove' as const), memoryId, holds, forAdmin: fc.boolean() }),
    fc.record({ type: fc.constant('RemoveAll' as const), memoryIds, holds, forAdmin: fc.boolean() }),
    fc.record({ type: fc.constant('RemoveOfConversation' as const), memoryIds }),
    fc.record({ type: fc.constant('Turn' as const), isOn: fc.boolean() }),
    fc.record({ type: fc.constant('Erase' as const) }),
  );

  it('a model adds only while the memory is on, and little in a reply; an erased user has nothing; a repeat changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let state = memory.initialState;
        for (const each of commands) {
          const decided = memory.decide(each, state);
          if (decided instanceof Refusal) continue;
          for (const event of decided) if (event.type === 'MemoryAdded' && event.origin) expect(state.isOn).toBe(true);
          const after = fold(memory, decided, state);
          if (each.type !== 'Remove' && each.type !== 'Change') {
            const repeated = memory.decide(each, after);
            expect(repeated instanceof Refusal ? [] : repeated).toEqual([]);
          }
          state = after;
          const origins = Object.values(state.entries);
          for (const replyId of ['r', 's'])
            expect(origins.filter((one) => one?.replyId === replyId).length).toBeLessThanOrEqual(MAX_MEMORIES_OF_REPLY);
          if (each.type === 'RemoveOfConversation') expect(each.memoryIds.filter((id) => id in state.entries)).toEqual([]);
          if (state.isErased) expect(state).toEqual({ isOn: false, entries: {}, isErased: true });
        }
      }),
    );
  });
});
