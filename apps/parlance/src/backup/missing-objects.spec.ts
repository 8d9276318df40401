import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SLICE_MS } from '@parlance/event-loop';
import { DatabaseSync } from 'node:sqlite';
import { factsOfFile } from '../adapters/file-facts.ts';
import { objectsOf } from '../adapters/object-copies.ts';
import { findMissing, type NamingFact, requireObjects } from './missing-objects.ts';

const stored = (service: string, stream: string, ...events: readonly object[]): NamingFact => ({
  service,
  stream,
  events: JSON.stringify(events.map((event, index) => ({ id: String(index), event }))),
});
const submitted = (messageId: string) => ({ type: 'MessageSubmitted', userId: 'ann', files: [{ id: `${messageId}.0` }] });
const message = (conversationId: string, messageId = 'm') => stored('inference', `conversation-${conversationId}`, submitted(messageId));
const succeeded = (generation: string) => stored('bots', 'knowledge-bot', { type: 'SyncSucceeded', generation });

async function* each(facts: readonly NamingFact[]): AsyncGenerator<NamingFact> {
  yield* facts;
}

describe('the objects of a backup', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-missing-'));
    const copies = await objectsOf(directory);
    for (const key of ['message-files/copied/m.0', 'knowledge-indexes/bot.new.lance/_versions/1'])
      await copies.put(key, Buffer.from('x'), { contentType: 'text/plain' });
    await copies.close();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rm(directory, { recursive: true }));

  const missing = (facts: readonly NamingFact[], later?: readonly NamingFact[]) =>
    findMissing(directory, each(facts), later && (() => each(later)));
  const none = { count: 0, keys: [], removed: 0 };

  it('are complete if each object that an event names was copied, in a folder too', async () =>
    expect(await missing([message('copied'), succeeded('new'), stored('edge', 'a-b', { type: 'Other' })])).toEqual(none));

  it('lack what was not copied, of which some are named', async () => {
    const messages = Array.from({ length: 12 }, (_, index) => message('lost', String(index).padStart(2, '0')));
    const found = await missing([...messages, message('copied'), succeeded('old')]);
    expect(found).toEqual({
      count: 13,
      removed: 0,
      keys: ['knowledge-indexes/bot.old.lance/', ...[0, 1, 2, 3].map((id) => `message-files/lost/0${id}.0`)],
    });
    expect(() => requireObjects(found, false, '/backup', 'check the bucket')).toThrow(
      /^13 objects that the events name are missing \(knowledge-indexes.* and others\): check the bucket, remove \/backup, .*--accept-missing-objects$/,
    );
    expect(() => requireObjects(found, true, '/backup', 'check the bucket')).not.toThrow();
  });

  it('lack nothing that may have been removed: by an event, or because its key is destroyed', async () => {
    const erased = stored('inference', 'conversation-erased', { type: 'ConversationErased', userId: 'ann' });
    expect(await missing([message('erased'), erased, succeeded('old'), succeeded('new')])).toEqual(none);
    expect(await missing([{ destroyedKey: 'conversation:shredded' }, message('shredded')])).toEqual(none);
    expect((await missing([{ destroyedKey: 'conversation:other' }, message('shredded')])).count).toBe(1);
  });

  it('lack nothing that was removed before it was copied, after the position of the backup', async () => {
    const expired = stored('inference', 'conversation-lost', { type: 'MessageFilesExpired', messageId: 'm' });
    expect(await missing([message('lost')], [expired, message('later')])).toEqual({ ...none, removed: 1 });
    expect((await missing([message('lost')], [message('later')])).count).toBe(1);
    expect(await missing([message('shredded')], [{ destroyedKey: 'conversation:shredded' }])).toEqual({ ...none, removed: 1 });
  });

  it('are named by the commits and keys in a file of a service, which is read with other work in between', async () => {
    const path = join(directory, 'inference.db');
    const file = new DatabaseSync(path);
    file.exec(`CREATE TABLE commits (position INTEGER PRIMARY KEY, stream TEXT, events TEXT);
      CREATE TABLE subject_keys (id TEXT, shredded INTEGER);
      INSERT INTO subject_keys VALUES ('conversation:kept', 0), ('conversation:copied', 0), ('conversation:shredded', 1)`);
    const insert = file.prepare('INSERT INTO commits (stream, events) VALUES (?, ?)');
    for (const fact of ['kept', 'shredded', 'copied'].map((id) => message(id))) if ('stream' in fact) insert.run(fact.stream, fact.events);
    file.close();
    // Each row takes as long as a turn.
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += SLICE_MS));
    let turns = 0;
    let other = setImmediate(function next() {
      turns += 1;
      other = setImmediate(next);
    });
    let facts = 0;
    for await (const _ of factsOfFile(path, 'inference')) facts += 1;
    clearImmediate(other);
    expect(facts).toBe(4);
    // After the first of the six rows.
    expect(turns).toBe(5);
    expect(await findMissing(directory, factsOfFile(path, 'inference'))).toEqual({
      count: 1,
      keys: ['message-files/kept/m.0'],
      removed: 0,
    });
  });
});
