import { describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { PublicationRemoved } from '@parlance/contracts';
import type { Streams } from '@parlance/foundation';
import type { CloudEvent } from '@parlance/messaging';
import { ShutdownPlan } from '@parlance/observability';
import type { ConversationRemoval } from '../workflows/conversation-removal.ts';
import type { HoldsOnConversations } from '../workflows/holds/holds-on-conversations.ts';
import { RemovedPublications } from '../workflows/holds/removed-publications.ts';
import { DeleteConversationsWhenPublicationRemoved } from './delete-conversations-when-publication-removed.ts';

const data = { owner_user_id: 'ann', deployment_id: '01K0Q8V3N5S7T9W2Y4Z6A8C0E1', because: 'requested' };
const event = { type: PublicationRemoved.type, data } as unknown as CloudEvent<PublicationRemoved>;

/** Conversations of the API, whose removal calls `whileDeleting` and takes a turn. */
class World {
  readonly left = new Set(Array.from({ length: 100 }, (_, index) => `c${index}`));
  readonly shutdown = new ShutdownPlan({ graceSeconds: 5, warn: () => undefined });
  running = 0;
  mostRunning = 0;
  readonly policy: DeleteConversationsWhenPublicationRemoved;

  constructor(whileDeleting: (world: World) => void = () => undefined) {
    const queries = { execute: async () => [...this.left] } as unknown as QueryBus;
    const removal = {
      delete: async (id: string) => {
        this.mostRunning = Math.max(this.mostRunning, ++this.running);
        whileDeleting(this);
        await new Promise(setImmediate);
        this.running--;
        this.left.delete(id);
      },
    } as unknown as ConversationRemoval;
    const streams = { execute: async () => undefined } as unknown as Streams;
    const holds = { on: async () => [] } as unknown as HoldsOnConversations;
    const removed = new RemovedPublications(queries, removal, holds, streams, this.shutdown);
    this.policy = new DeleteConversationsWhenPublicationRemoved(removed, streams);
  }
}

describe('deleting the conversations of a publication that was removed', () => {
  it('deletes some at the same time', async () => {
    const world = new World();
    await world.policy.on(event);
    expect([world.left.size, world.mostRunning]).toEqual([0, 8]);
  });

  it('stops when the process stops, and the next delivery deletes the rest', async () => {
    const world = new World(({ shutdown }) => void shutdown.run());
    await expect(world.policy.on(event)).rejects.toMatchObject({ kind: 'unavailable', code: 'erasure_incomplete' });
    expect(world.left.size).toBeGreaterThan(80);
  });
});
