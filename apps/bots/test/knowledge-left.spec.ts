import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { Clock, Streams } from '@parlance/foundation';
import { StoreUnavailable } from '@parlance/object-store';
import { KnowledgeIndexes } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { ExecuteBot, ExecuteDedicatedBases } from '../src/commands/aggregates.ts';
import { DEDICATED_BASES, dedicatedBases, RESERVATION_MILLIS } from '../src/domain/knowledge/dedicated-bases.ts';
import { KnowledgeCleanUp } from '../src/workflows/knowledge-clean-up.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

const ann = newId();

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

describe('the remaining files and indexes', () => {
  const erase = async (userId: string) =>
    (await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: userId })).body.removed;

  const cleanUpAfter = async (millis: number) => {
    bots.service.later(millis);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-millis);
  };

  it('of a deleted bot: none', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    expect((await knowledge.keys(`knowledge/${ann}/${id}/`)).length).toBe(1);
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${id}/`)).length + (await knowledge.indexesOf(id)).length === 0, {
      what: 'the files and the index to be removed',
    });
  });
  it('of a bot that was deleted in a long outage of the object store: none when the outage has ended, and its event is no dead letter', async () => {
    const { broker } = bots.service.host;
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const lists = jest.spyOn(knowledge.objects, 'list').mockRejectedValue(new StoreUnavailable('no answer'));
    try {
      await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
      await waitFor(() => lists.mock.calls.length > bots.service.host.pace.retry.attempts, { what: 'many tries' });
    } finally {
      lists.mockRestore();
    }
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${id}/`)).length + (await knowledge.indexesOf(id)).length === 0, {
      what: 'the files and the index to be removed',
    });
    expect(await broker.countDeadLetters('bots')).toBe(0);
  });
  it('of a bot whose index cannot be removed because the object store is down: none when it is up again', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const health = jest.spyOn(bots.service.host.objects.health!, 'check').mockRejectedValueOnce(new StoreUnavailable('no answer'));
    const lists = jest.spyOn(bots.app.get(KnowledgeIndexes), 'list').mockImplementation(() => {
      health.mockRejectedValueOnce(new StoreUnavailable('no answer'));
      return Promise.reject(new Error('an error of the index'));
    });
    try {
      await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
      await waitFor(() => lists.mock.calls.length > bots.service.host.pace.retry.attempts, { what: 'many tries' });
    } finally {
      for (const each of [lists, health]) each.mockRestore();
    }
    await waitFor(async () => (await knowledge.indexesOf(id)).length === 0, { what: 'the index to be removed' });
    expect(await bots.service.host.broker.countDeadLetters('bots')).toBe(0);
  });
  it('of a bot that is deleted while the object store is known to be down: its index is not asked for until the store is up', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const health = jest.spyOn(bots.service.host.objects.health!, 'check').mockRejectedValue(new StoreUnavailable('no answer'));
    const lists = jest.spyOn(bots.app.get(KnowledgeIndexes), 'list');
    try {
      await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
      await waitFor(() => health.mock.calls.length > 2 || lists.mock.calls.length > 0, { what: 'several tries' });
      expect(lists).not.toHaveBeenCalled();
    } finally {
      for (const each of [lists, health]) each.mockRestore();
    }
    await waitFor(async () => (await knowledge.indexesOf(id)).length === 0, { what: 'the index to be removed' });
  });
  it('of an erased user whose bot another process has just deleted: none, and the receipt counts them', async () => {
    const dan = newId();
    const id = await knowledge.botWith(dan, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const ended = Promise.withResolvers<void>();
    // The other process has not removed the knowledge yet.
    const health = jest.spyOn(bots.service.host.objects.health!, 'check').mockReturnValueOnce(ended.promise);
    try {
      await bots.app.get(CommandBus).execute(new ExecuteBot(id, { type: 'DeleteWithOwner', ownerUserId: dan }));
      await waitFor(() => health.mock.calls.length === 1, { what: 'the removal by the other process' });
      expect(await erase(dan)).toEqual({ bots: 1, shelf_entries: 0, files: 1, chunks: 1 });
      expect([await knowledge.keys(`knowledge/${dan}/`), await knowledge.indexesOf(id)]).toEqual([[], []]);
    } finally {
      ended.resolve();
      health.mockRestore();
    }
  });
  it('of an erased user: none, and the receipt counts them', async () => {
    const [cat, id] = [newId(), newId()];
    await knowledge.upload(cat, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    await knowledge.upload(cat, newId(), 'never-saved.txt', 'No bot has this.');
    await bots.create(cat, { id, knowledge: { filenames: ['ships.txt'] } });
    await knowledge.settled(cat, id);
    const removed = { bots: 1, shelf_entries: 0, files: 2, chunks: 1 };
    expect(await erase(cat)).toEqual(removed);
    expect([await knowledge.keys(`knowledge/${cat}/`), await knowledge.indexesOf(id)]).toEqual([[], []]);
    expect(await erase(cat)).toEqual(removed);
  });
  it("after the removal of uploads for another user's bot: all of that bot", async () => {
    const [dan, id] = [newId(), await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' })];
    await knowledge.upload(dan, id, 'ships.txt', 'Planted text.');
    expect(await erase(dan)).toMatchObject({ bots: 0, files: 1, chunks: 0 });
    expect((await knowledge.search(ann, id, 'ferry')).body.results[0].content).toContain('Bergen');
  });
  it('that cannot be removed are all reported', async () => {
    const [uploads, indexes] = [new Error('no uploads'), new Error('no indexes')];
    const cleanUp = bots.app.get(KnowledgeCleanUp);
    const broken = [
      jest.spyOn(bots.app.get(QueryBus), 'execute').mockRejectedValueOnce(uploads),
      jest.spyOn(bots.app.get(KnowledgeIndexes), 'list').mockRejectedValueOnce(indexes),
    ];
    try {
      await expect(cleanUp.run()).rejects.toMatchObject({ message: 'no uploads; no indexes', errors: [uploads, indexes] });
    } finally {
      for (const each of broken) each.mockRestore();
    }
  });
  it('include the index of a run that writes nothing for an hour', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const read = knowledge.objects.get.bind(knowledge.objects);
    let goOn = () => {};
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const get = jest.spyOn(knowledge.objects, 'get').mockImplementationOnce(async (key) => slow.then(() => read(key)));
    await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
    await waitFor(() => get.mock.calls.length === 1, { what: 'the run to read the file' });
    bots.service.later(1.5 * 3_600_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-1.5 * 3_600_000);
    expect((await knowledge.indexesOf(id)).length).toBe(1);
    goOn();
    get.mockRestore();
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
  it('of an upload that arrived after its bot was deleted: none, when its address has expired', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const [key] = await knowledge.keys(`knowledge/${ann}/${id}/`);
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${id}/`)).length === 0, { what: 'the files to be removed' });
    await knowledge.objects.put(key!, Buffer.from('Too late.'), { contentType: 'text/plain' });
    await cleanUpAfter(3 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toEqual([]);
  });
  it('of an upload that arrived after its owner was erased: none, when its address has expired', async () => {
    const [cat, id] = [newId(), newId()];
    await knowledge.upload(cat, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const [key] = await knowledge.keys(`knowledge/${cat}/${id}/`);
    await erase(cat);
    await knowledge.objects.put(key!, Buffer.from('Too late.'), { contentType: 'text/plain' });
    await cleanUpAfter(3 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${cat}/`)).toEqual([]);
  });
  it('of an unused upload that arrived a few minutes after its address was issued: none, after a day', async () => {
    const unsaved = newId();
    bots.service.later(-1_800_000);
    await knowledge.upload(ann, unsaved, 'draft.txt', 'Never saved.');
    bots.service.later(1_800_000);
    await cleanUpAfter(24 * 3_600_000 - 1_700_000);
    await cleanUpAfter(25 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${ann}/${unsaved}/`)).toEqual([]);
  });
  it('do not include uploads and indexes that no bot uses, after a day', async () => {
    const [used, unsaved] = [await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' }), newId()];
    await knowledge.upload(ann, used, 'spare.txt', 'Never saved.');
    await knowledge.upload(ann, unsaved, 'draft.txt', 'Never saved.');
    const indexes = bots.app.get(KnowledgeIndexes);
    const orphan = await indexes.build({ botId: used, generation: newId() }, { dimensions: null, embeddingModel: null });
    await orphan.finish();
    await bots.app.get(KnowledgeCleanUp).run();
    expect([(await knowledge.keys(`knowledge/${ann}/${used}/`)).length, (await knowledge.indexesOf(used)).length]).toEqual([2, 2]);
    bots.service.later(25 * 3_600_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-25 * 3_600_000);
    expect([(await knowledge.keys(`knowledge/${ann}/${used}/`)).length, (await knowledge.indexesOf(used)).length]).toEqual([1, 1]);
    expect(await knowledge.keys(`knowledge/${ann}/${unsaved}/`)).toEqual([]);
    expect(await knowledge.found(ann, used, 'ferry')).toEqual(['ships.txt']);
  });
  it('do not include uploads of another user under the name of a file that the bot uses, after a day', async () => {
    const [dan, id] = [newId(), await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' })];
    await knowledge.upload(dan, id, 'ships.txt', 'Planted text.');
    bots.service.later(25 * 3_600_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-25 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${dan}/`)).toEqual([]);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(1);
  });
  it('do not include a slot of a dedicated knowledge base whose bot was not saved, after a minute', async () => {
    const [id, unsaved] = [newId(), newId()];
    await bots.create(ann, { id, bedrock_knowledge_base: { type: 'dedicated' } });
    const now = bots.app.get(Clock).now();
    await bots.app.get(CommandBus).execute(new ExecuteDedicatedBases({ type: 'Reserve', botId: unsaved, now }));
    const places = async () => {
      await bots.app.get(KnowledgeCleanUp).run();
      return Object.keys(await bots.app.get(Streams).load(dedicatedBases, DEDICATED_BASES)).toSorted();
    };
    expect(await places()).toEqual([id, unsaved].toSorted());
    bots.service.later(RESERVATION_MILLIS + 60_000);
    expect(await places()).toEqual([id]);
    bots.service.later(-RESERVATION_MILLIS - 60_000);
  });
});
