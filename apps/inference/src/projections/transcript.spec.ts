import { describe, expect, it } from '@jest/globals';
import type { ReadModels } from '@parlance/read-models';
import { messageKey, type MessageRow } from './messages/message-rows.ts';
import { Transcript, TRANSCRIPT_BYTES, TRANSCRIPT_TURNS } from './transcript.ts';

type Rows = ReadonlyMap<string, MessageRow>;

const row = (message_id: string, parent: string | null, content: string | null): [string, MessageRow] => [
  messageKey('c', message_id),
  {
    conversation_id: 'c',
    message_id,
    user_id: 'ann',
    role: message_id.startsWith('m') ? 'user' : 'assistant',
    status: 'completed',
    model: 'local',
    parent,
    content,
    error: null,
    submitted_at: 0 as MessageRow['submitted_at'],
  },
];
const number = (n: number) => String(n).padStart(4, '0');

/** Questions m0, m1 … and answers r0, r1 …, each with this text. */
function talk(length: number, text = 'x'): Rows {
  const rows = Array.from({ length }, (_, n) => [
    row(`m${number(n)}`, n === 0 ? null : `r${number(n - 1)}`, text),
    row(`r${number(n)}`, `m${number(n)}`, text),
  ]);
  return new Map(rows.flat());
}

/** Read models with these rows, and the bytes that were read from them. */
function models(rows: Rows) {
  const read = { rows: 0, bytes: 0 };
  const count = (one: MessageRow) => {
    read.rows++;
    read.bytes += JSON.stringify(one).length;
    return one;
  };
  const latest = [...rows.values()].toSorted((a, b) =>
    a.message_id.slice(1) + a.message_id > b.message_id.slice(1) + b.message_id ? -1 : 1,
  );
  return {
    read,
    models: {
      get: async (_: unknown, key: string) => (rows.has(key) ? count(rows.get(key)!) : null),
      find: async (_: unknown, { limit, bytes }: { limit: number; bytes: number }) => {
        const found: MessageRow[] = [];
        for (const end = read.bytes + bytes; found.length < limit && read.bytes < end && found.length < latest.length;)
          found.push(count(latest[found.length]!));
        return { rows: found, keys: [], next: null };
      },
    } as unknown as ReadModels,
  };
}

async function transcript(rows: Rows, parentId: string | null, questionBytes = 1) {
  const { models: reading, read } = models(rows);
  const turns = await Transcript.find(reading, 'c', parentId, questionBytes);
  return { turns, read, texts: turns.map(({ content }) => content) };
}

describe('the turns before a question', () => {
  it('are none for the first question', async () => expect((await transcript(new Map(), null)).turns).toEqual([]));
  it('are all earlier turns, oldest first', async () =>
    expect((await transcript(new Map([row('m1', null, 'why'), row('r1', 'm1', 'because')]), 'r1')).turns).toEqual([
      { role: 'user', content: 'why' },
      { role: 'assistant', content: 'because' },
    ]));
  it('leave out failed replies', async () =>
    expect((await transcript(new Map([row('m1', null, 'why'), row('r1', 'm1', null)]), 'r1')).texts).toEqual(['why']));
  it('follow only the question’s branch, even an old one', async () => {
    const rows = new Map([...talk(200, 'other'), row('ma', null, 'first'), row('ra', 'ma', 'answer')]);
    expect((await transcript(rows, 'ra')).texts).toEqual(['first', 'answer']);
  });
  it('end at a missing row', async () =>
    expect((await transcript(new Map([row('r1', 'm1', 'because')]), 'r1')).texts).toEqual(['because']));

  it('are limited in number, however long the conversation is', async () => {
    const [short, long] = [await transcript(talk(50), 'r0049'), await transcript(talk(5_000), 'r4999')];
    expect(short.turns).toHaveLength(TRANSCRIPT_TURNS - 1);
    expect([long.turns, long.read]).toEqual([short.turns, short.read]);
    expect(long.read.rows).toBeLessThanOrEqual(TRANSCRIPT_TURNS + 1);
  });
  it('are limited in bytes, and little more is read', async () => {
    const { turns, read } = await transcript(talk(84, 'x'.repeat(1024 * 1024)), 'r0083');
    expect(turns).toEqual([]);
    expect(read.bytes).toBeLessThan(3 * 1024 * 1024);
    const { texts } = await transcript(talk(84, 'x'.repeat(40_000)), 'r0083', 100_000);
    expect(texts).toHaveLength(Math.floor((TRANSCRIPT_BYTES - 100_000) / 30_000));
  });
  it('are none for a question as long as the limit', async () =>
    expect((await transcript(talk(3), 'r0002', TRANSCRIPT_BYTES)).turns).toEqual([]));
});
