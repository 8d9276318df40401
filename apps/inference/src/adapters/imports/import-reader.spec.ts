import { describe, expect, it, jest } from '@jest/globals';
import { Refusal } from '@parlance/decider';
import { ImportReader, type OpenImport, type ImportRequest } from './import-reader.ts';
import { derivedId, freeId, type Read } from './parts.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const conversation = (id: string, text = 'hello') => ({
  format: 'parlance-conversation/1',
  id,
  messages: [{ id: 'm', parent_id: null, role: 'user', content: [{ type: 'text', text }] }],
});
const wanted = (value: unknown, userId = 'ann'): ImportRequest => {
  return { bytes: Buffer.from(JSON.stringify(value)), isArchive: false, source: 'auto', userId, now };
};
const batchesOf = async (file: OpenImport) => {
  const batches: (readonly Read[])[] = [];
  for (let batch = await file.next(); batch !== null; batch = await file.next()) batches.push(batch);
  return batches;
};
const codeOf = (promise: Promise<unknown>) =>
  promise.catch((error: unknown) => (error instanceof Refusal ? `${error.kind} ${error.code}` : error));

describe('the reader of imports', () => {
  it('returns the conversations in batches, and null after the last', async () => {
    const file = wanted(Array.from({ length: 120 }, (_, index) => conversation(`c${index}`)));
    const batches = await new ImportReader().during(file, batchesOf);
    expect(batches.map((batch) => batch.length)).toEqual([50, 50, 20]);
  });

  it('derives an ID only from the user, the source and the ID in the source', async () => {
    const idsOf = async (value: object, userId: string) =>
      (await new ImportReader().during(wanted([value], userId), batchesOf)).flat().map((read) => 'part' in read && read.conversationId);
    const [id] = await idsOf(conversation('c'), 'ann');
    expect(await idsOf({ ...conversation('c', 'other'), create_time: 7 }, 'ann')).toEqual([id]);
    expect(await idsOf(conversation('d'), 'ann')).not.toEqual([id]);
    expect(await idsOf(conversation('c'), 'ben')).not.toEqual([id]);
    expect(derivedId('x', 1_700_000_000_000)).toMatch(/^01HF7YAT00[0-9A-HJKMNP-TV-Z]{16}$/);
  });

  it('gives two messages different IDs, even if their hashes collide', () => {
    const first = freeId('x', 1_700_000_000_000, new Set());
    const second = freeId('x', 1_700_000_000_000, new Set([first.id]));
    expect([first.millis, second.millis]).toEqual([1_700_000_000_000, 1_700_000_000_001]);
    expect(second.id).not.toBe(first.id);
  });

  it('refuses a file that takes too long', async () => {
    expect(await codeOf(new ImportReader(1).during(wanted([conversation('c')]), batchesOf))).toBe('too_large import_too_large');
  });

  it('reads one file at a time, lets three wait, and refuses the next', async () => {
    const reader = new ImportReader();
    let open = 0;
    let most = 0;
    const use = async (file: OpenImport) => {
      most = Math.max(most, ++open);
      await batchesOf(file);
      open--;
    };
    const imports = Array.from({ length: 5 }, (_, index) => codeOf(reader.during(wanted([conversation('c')], `user ${index}`), use)));
    expect(await Promise.all(imports)).toEqual([undefined, undefined, undefined, undefined, 'unavailable busy']);
    expect(most).toBe(1);
  });

  it('refuses a file that has waited too long, and reads the next one', async () => {
    let elapsed = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => elapsed);
    const reader = new ImportReader(undefined, 100);
    const slow = reader.during(wanted([conversation('c')]), async () => (elapsed += 101));
    const late = codeOf(reader.during(wanted([conversation('c')], 'ben'), batchesOf));
    await slow;
    expect([await late, await codeOf(reader.during(wanted([conversation('c')], 'cid'), async () => 'read'))]).toEqual([
      'unavailable busy',
      'read',
    ]);
    clock.mockRestore();
  });

  it('allows one import per user at a time', async () => {
    const reader = new ImportReader();
    const ask = (userId: string, value: unknown = [conversation('c')]) => codeOf(reader.during(wanted(value, userId), async () => 'read'));
    const imports = ['ann', 'ann', 'ann', 'ben', 'ann'].map((userId) => ask(userId));
    expect(await Promise.all(imports)).toEqual([
      'read',
      'limited import_running',
      'limited import_running',
      'read',
      'limited import_running',
    ]);
    expect([await ask('ann', 'no export'), await ask('ann')]).toEqual(['invalid invalid_import', 'read']);
  });

  it('reads the next file after one that failed', async () => {
    const reader = new ImportReader();
    const failing = codeOf(reader.during(wanted('no export'), batchesOf));
    const next = reader.during(wanted([conversation('c')], 'ben'), batchesOf);
    expect([await failing, (await next).length]).toEqual(['invalid invalid_import', 1]);
  });
});
