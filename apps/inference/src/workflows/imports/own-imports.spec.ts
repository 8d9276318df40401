import { describe, expect, it } from '@jest/globals';
import type { Streams } from '@parlance/foundation';
import type { OpenImport } from '../../adapters/imports/import-reader.ts';
import type { ReadPart } from '../../adapters/imports/parts.ts';
import { conversation } from '../../domain/conversation.ts';
import type { ConversationImports } from './conversation-imports.ts';
import { OwnImports } from './own-imports.ts';

const PARTS = 40;
const own = { fingerprint: 'f', parts: PARTS };

/** A conversation in many parts, some of which are already imported. */
class World {
  loads = 0;
  readonly written: number[] = [];

  constructor(private readonly there: number) {}

  take(isDryRun = false) {
    const state = {
      ...conversation.initialState,
      ...(this.there > 0 && { userId: 'ann', imported: { name: 'own.chatgpt', parts: this.there, own } }),
    };
    const streams = {
      load: async () => {
        this.loads++;
        return state;
      },
    } as unknown as Streams;
    const imports = {
      take: async (_: string, { part }: { part: number }) => {
        this.written.push(part);
        return { status: 'imported' };
      },
    } as unknown as ConversationImports;
    const parts = Array.from({ length: PARTS }, (_, part) => [
      {
        index: 0,
        sourceId: 's',
        conversationId: 'c',
        titleText: 'T',
        messagesInAll: PARTS,
        own,
        part,
        messages: [],
        left: new Map(),
      } as unknown as ReadPart,
    ]);
    const file: OpenImport = { source: 'chatgpt', conversations: 1, next: async () => parts.shift() ?? null };
    return new OwnImports(imports, streams).take(file, 'ann', isDryRun);
  }
}

describe('an import of a long conversation', () => {
  it.each([
    ['none', 0, 'imported', PARTS],
    ['some', 30, 'imported', PARTS - 30],
    ['all', PARTS, 'unchanged', 0],
  ])('loads the conversation once, however many parts exist, and writes the others: %s', async (_, there, status, count) => {
    const world = new World(there);
    const { isComplete, outcomes } = await world.take();
    expect([isComplete, outcomes.map((outcome) => outcome.status), world.loads]).toEqual([true, [status], 1]);
    expect(world.written).toEqual(Array.from({ length: count }, (__, index) => PARTS - count + index));
  });

  it('returns the same report in a dry run, and writes nothing', async () => {
    const world = new World(30);
    expect((await world.take(true)).outcomes).toEqual((await new World(30).take()).outcomes);
    expect(world.written).toEqual([]);
  });
});

describe('a report', () => {
  it('has conversations in the order of the file, even if later ones are written first', async () => {
    const read = (index: number, rest: object) => ({ index, sourceId: `s${index}`, ...rest }) as unknown as ReadPart;
    const part = (index: number) =>
      read(index, {
        conversationId: `c${index}`,
        titleText: 'T',
        messagesInAll: 1,
        own: { parts: 1 },
        part: 0,
        messages: [],
        left: new Map([['image', 1]]),
      });
    const batch = [part(0), read(1, { reason: 'no_messages' }), part(2), part(3)];
    const later = Promise.withResolvers<void>();
    const imports = {
      take: async (_: string, { id }: { id: string }) => {
        if (id === 'c3') later.resolve();
        else await later.promise;
        return { status: 'imported' };
      },
    } as unknown as ConversationImports;
    const streams = { load: async () => conversation.initialState } as unknown as Streams;
    const batches = [batch, null];
    const file: OpenImport = { source: 'chatgpt', conversations: 4, next: async () => batches.shift() ?? null };
    const { outcomes, leftOut } = await new OwnImports(imports, streams).take(file, 'ann', false);
    expect(outcomes.map(({ sourceId }) => sourceId)).toEqual(['s0', 's2', 's3']);
    expect(leftOut.map(({ sourceId, reason }) => [sourceId, reason])).toEqual([
      ['s0', 'image'],
      ['s1', 'no_messages'],
      ['s2', 'image'],
      ['s3', 'image'],
    ]);
  });
});
