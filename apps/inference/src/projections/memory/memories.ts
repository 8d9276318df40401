import type { Instant } from '@parlance/decider';
import { idInStream } from '@parlance/event-store';
import { add, type Cursor, type Page, patch, projection, put, remove, table } from '@parlance/read-models';
import { query } from '../../bus.ts';
import type { MemoryEvent } from '../../domain/memory/memory.ts';

/** `text` is sealed. */
export interface MemoryRow {
  readonly memory_id: string;
  readonly user_id: string;
  readonly text: string;
  /** The reply in which a model has added it. Null if the user has. */
  readonly conversation_id: string | null;
  readonly message_id: string | null;
  readonly created_at: Instant;
  readonly changed_at: Instant;
}

/** Exists if the user has turned the memory on. */
interface MemoryUserRow {
  readonly user_id: string;
}

/** How many entries of a user were erased. */
interface ErasedMemoriesRow {
  readonly memories: number;
}

const memoryRows = table<MemoryRow>('memories', { byUser: ['user_id', 'memory_id'] });
const memoryUserRows = table<MemoryUserRow>('memory_users');
const erasedMemoryRows = table<ErasedMemoriesRow>('erased_memories');

export const memoryList = projection<MemoryEvent>({
  name: 'memories',
  version: 1,
  tables: [memoryRows, memoryUserRows, erasedMemoryRows],
  on: {
    MemoryAdded: ({ memoryId, text, origin }, { stream, metadata: { at } }) => [
      put(memoryRows, memoryId, {
        memory_id: memoryId,
        user_id: idInStream(stream),
        text,
        conversation_id: origin?.conversationId ?? null,
        message_id: origin?.replyId ?? null,
        created_at: at,
        changed_at: at,
      }),
    ],
    MemoryChanged: ({ memoryId, text }, { metadata: { at } }) => [patch(memoryRows, memoryId, { text, changed_at: at })],
    MemoryRemoved: ({ memoryId }) => [remove(memoryRows, memoryId)],
    MemoryTurnedOn: (_, { stream }) => [put(memoryUserRows, idInStream(stream), { user_id: idInStream(stream) })],
    MemoryTurnedOff: (_, { stream }) => [remove(memoryUserRows, idInStream(stream))],
    MemoryErased: ({ memories }, { stream }) => [
      remove(memoryUserRows, idInStream(stream)),
      ...(memories > 0 ? [add(erasedMemoryRows, idInStream(stream), { memories }, {})] : []),
    ],
  },
});

/** Whether the user has turned the memory on. */
export const MemoryIsOn = query('MemoryIsOn', async (models, userId: string): Promise<boolean> => {
  return (await models.get(memoryUserRows, userId)) !== null;
});

/** An entry of this user. Null if there is none. */
export const MemoryOf = query('MemoryOf', async (models, memoryId: string, userId: string): Promise<MemoryRow | null> => {
  const row = await models.get(memoryRows, memoryId);
  return row?.user_id === userId ? row : null;
});

/** Entries of a user, the newest first. */
export const MemoriesOf = query('MemoriesOf', (models, userId: string, limit: number, after: Cursor | null): Promise<Page<MemoryRow>> =>
  models.find(memoryRows, { index: 'byUser', where: { user_id: userId }, order: 'desc', limit, ...(after && { after }) }),
);

export const ErasedMemoriesOf = query('ErasedMemoriesOf', async (models, userId: string): Promise<number> => {
  return (await models.get(erasedMemoryRows, userId))?.memories ?? 0;
});
