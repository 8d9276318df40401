import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import { Clock, Streams } from '@parlance/foundation';
import { KnowledgeIndexes, openRetrievers, RemoteRefused } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { Embedding } from '../src/adapters/embedding.ts';
import { ExecuteDedicatedBases } from '../src/commands/aggregates.ts';
import { DEDICATED_BASES, dedicatedBases, RESERVATION_MILLIS } from '../src/domain/dedicated-bases.ts';
import { MOST_TRIES } from '../src/domain/knowledge-sync.ts';
import { LONGEST_QUERY } from '../src/projections/retrieval.ts';
import { KnowledgeCleanUp } from '../src/workflows/knowledge-clean-up.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest, webSite } from './knowledge-under-test.ts';

const [ann, ben] = [newId(), newId()];

let bots: BotsUnderTest;
let knowledge: KnowledgeUnderTest;

beforeAll(async () => {
  bots = await BotsUnderTest.start({ PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  knowledge = new KnowledgeUnderTest(bots);
});
afterAll(() => bots.stop());

/** A bot with these files, whose run has ended. */
async function botWith(files: Readonly<Record<string, string>>, body: object = {}): Promise<string> {
  const id = newId();
  for (const [name, content] of Object.entries(files)) await knowledge.upload(ann, id, name, content);
  await bots.create(ann, { id, knowledge: { filenames: Object.keys(files) }, ...body });
  await knowledge.settled(ann, id);
  return id;
}

const indexesOf = async (botId: string) =>
  (await bots.app.get(KnowledgeIndexes).list({ botId, generation: '-' }, 10)).filter(({ name }) => name.botId === botId);

describe('a bot with a file', () => {
  let id: string;
  beforeAll(async () => {
    id = await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.', 'trains.txt': 'The night train to Malmö has sleeping cars.' });
  });

  it('has succeeded, with its numbers', async () => {
    const { body } = await knowledge.run(ann, id);
    expect(body).toMatchObject({
      sync_status: 'SUCCEEDED',
      reason: '',
      because: 'saved',
      step: 'complete',
      sources: { files: { done: 2, failed: 0, total: 2, unchanged: 0 } },
      chunks: 2,
      chunks_in_service: 2,
      next_run_time: null,
    });
    expect(body.steps.map(({ state }: { state: string }) => state)).toEqual(Array(6).fill('done'));
    expect([body.execution_id.length, body.end_time >= body.start_time]).toEqual([26, true]);
  });
  it('finds the chunk for a question, with its source', async () => {
    const { body } = await knowledge.search(ann, id, 'When does the ferry leave?', { max_results: 1 });
    expect(body).toMatchObject({
      results: [
        {
          content: 'The ferry to Bergen leaves at noon.',
          content_type: 'text',
          source: 'ships.txt',
          rank: 1,
          page_number: null,
        },
      ],
      search_type: 'lexical',
      reranked: false,
    });
    expect(body.timings.total).toBeGreaterThan(0);
  });
  it('shows its sources to its owner alone', async () => {
    expect((await bots.get(`/bot/private/${id}`, bots.service.as(ann))).body.knowledge.filenames).toEqual(['ships.txt', 'trains.txt']);
    await bots.share(ann, id, 'all');
    expect((await bots.get(`/bot/${id}`, bots.service.as(ben))).body).toMatchObject({ has_knowledge: true, sync_status: 'SUCCEEDED' });
    expect((await bots.get(`/bot/private/${id}`, bots.service.as(ben))).status).toBe(403);
  });
  it('answers questions of its viewers, who may not search it themselves', async () => {
    expect((await knowledge.search(ben, id, 'ferry')).body.code).toBe('not_editor');
    const { body } = await knowledge.retrieve(ben, id, 'Bergen ferry?');
    expect(body).toMatchObject({ has_knowledge: true, display_retrieved_chunks: true, chunks: [{ source: 'ships.txt', rank: 1 }] });
  });
  it('searches for the beginning of a long question only', async () => {
    const found = async (query: string) => (await knowledge.retrieve(ann, id, query)).body.chunks.length;
    const filler = 'x'.repeat(LONGEST_QUERY);
    expect([await found(`ferry ${filler}`), await found(`${filler} ferry`)]).toEqual([1, 0]);
  });
  it('answers nothing to users who may not see it', async () => {
    await bots.share(ann, id, 'private');
    const answers = [await knowledge.retrieve(ben, id, 'ferry'), await knowledge.search(ben, id, 'ferry'), await knowledge.run(ben, id)];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'bot_not_found']));
  });
  it('leaves unchanged files alone when it is read again', async () => {
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at six.');
    const { status, body } = await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
    expect([status, body.bot_id]).toEqual([202, id]);
    await waitFor(async () => (await knowledge.settled(ann, id)).because === 'requested', { what: 'the requested run' });
    expect((await knowledge.run(ann, id)).body).toMatchObject({
      because: 'requested',
      sources: { files: { done: 2, unchanged: 1, total: 2 } },
      chunks_in_service: 2,
    });
    expect((await knowledge.search(ann, id, 'ferry')).body.results[0].content).toBe('The ferry to Bergen leaves at six.');
    expect(await knowledge.found(ann, id, 'sleeping')).toEqual(['trains.txt']);
  });
  it('has one index, however often it is read', async () => {
    await waitFor(async () => (await indexesOf(id)).length === 1, { what: 'the earlier index to be removed' });
  });
  it('does not find a file that was taken out', async () => {
    const saved = await knowledge.save(ann, id, { knowledge: { deleted_filenames: ['ships.txt'] } });
    expect(saved.body).toMatchObject({ knowledge: { filenames: ['trains.txt'] } });
    await knowledge.settled(ann, id);
    expect(await knowledge.found(ann, id, 'ferry')).toEqual([]);
  });
  it('has no knowledge and no index when its last source is taken out', async () => {
    await knowledge.save(ann, id, { knowledge: { filenames: [] } });
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect((await bots.get(`/bot/${id}`, bots.service.as(ann))).body.has_knowledge).toBe(false);
    expect((await knowledge.retrieve(ann, id, 'night train')).body).toMatchObject({ has_knowledge: false, chunks: [] });
    await waitFor(async () => (await indexesOf(id)).length === 0, { what: 'the index to be removed' });
    expect((await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann))).body.code).toBe('no_sources');
  });
});

describe('the search of a bot', () => {
  it('gives answers that another Parlance imports', async () => {
    const id = await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const { body } = await knowledge.search(ann, id, 'ferry');
    const site = await webSite((_, response) => response.end(JSON.stringify(body)));
    const account = { bot_id: id, token: 'token', email: null, password: null };
    const aws = { knowledge_base_id: null, region: null, access_key_id: null, secret_access_key: null };
    const other = openRetrievers({ retrievers: { other: { type: 'parlance', url: site.url, ...account, ...aws } } }).get('other')!;
    try {
      const [chunk] = await other.retrieve('ferry', { limit: 5, signal: AbortSignal.timeout(10_000) });
      expect(chunk).toEqual({
        id: body.results[0].id,
        text: 'The ferry to Bergen leaves at noon.',
        source: 'ships.txt',
        source_name: 'ships.txt',
        page_number: null,
        heading: null,
        score: body.results[0].score,
      });
    } finally {
      await other.close();
      await site.stop();
    }
  });
});

describe('a source that cannot be read', () => {
  it('fails the run, which names it and what to do, and leaves the earlier index in service', async () => {
    const id = await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    await knowledge.upload(ann, id, 'virus.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600, 1)]));
    await knowledge.save(ann, id, { knowledge: { filenames: ['missing.txt', 'virus.exe'] } });
    const run = await knowledge.settled(ann, id);
    expect(run).toMatchObject({ sync_status: 'FAILED', sources: { files: { failed: 2, total: 2 } }, chunks_in_service: 1 });
    expect(run.reason).toContain('2 of 2 sources failed.');
    expect(run.reason).toContain('missing.txt: The file was not uploaded.');
    expect(run.reason).toMatch(/virus\.exe: .+\./);
    expect((await bots.get(`/bot/${id}`, bots.service.as(ann))).body).toMatchObject({
      sync_status: 'FAILED',
      sync_status_reason: run.reason,
      has_knowledge: true,
    });
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
  it('is read when it is there and the bot is saved again', async () => {
    const id = newId();
    await bots.create(ann, { id, knowledge: { filenames: ['late.txt'] } });
    expect((await knowledge.settled(ann, id)).sync_status).toBe('FAILED');
    await knowledge.upload(ann, id, 'late.txt', 'Trams run all night.');
    await knowledge.save(ann, id, { knowledge: { filenames: ['late.txt'] } });
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect(await knowledge.found(ann, id, 'trams')).toEqual(['late.txt']);
  });
  it('is not named to viewers', async () => {
    const id = newId();
    await bots.create(ann, { id, knowledge: { filenames: ['secret-name.txt'] } });
    await knowledge.settled(ann, id);
    await bots.share(ann, id, 'all');
    const seen = await bots.get(`/bot/${id}`, bots.service.as(ben));
    expect([seen.body.sync_status, seen.body.sync_status_reason]).toEqual(['FAILED', '']);
  });
});

describe('a fault that is not one of the sources', () => {
  it('is followed by another try after a pause', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const get = jest.spyOn(knowledge.objects, 'get').mockRejectedValueOnce(new Error('EIO'));
    await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
    await waitFor(() => get.mock.calls.length === 1, { what: 'the first try' });
    get.mockRestore();
    const isRead = async () => {
      bots.service.later(10_000);
      return (await knowledge.run(ann, id)).body.sync_status === 'SUCCEEDED';
    };
    await waitFor(isRead, { what: 'the second try' });
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'SUCCEEDED' });
  });
  it('fails the run after some tries, with what to do', async () => {
    const id = newId();
    const get = jest.spyOn(knowledge.objects, 'get').mockRejectedValue(new Error('EIO'));
    try {
      await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
      const hasTriedOften = () => {
        bots.service.later(10_000);
        return get.mock.calls.length >= MOST_TRIES;
      };
      await waitFor(hasTriedOften, { what: 'the last try' });
      const { sync_status, reason } = await knowledge.settled(ann, id);
      expect([sync_status, reason]).toEqual([
        'FAILED',
        expect.stringMatching(/^A fault of this installation ended the run .{26}\. Save the bot again later\./),
      ]);
    } finally {
      get.mockRestore();
    }
  });
  it('fails the run at once if the embedding model refuses the installation', async () => {
    const id = newId();
    const refused = new RemoteRefused('The embedding model', 'it answered 401. Check the credentials in the configuration');
    jest.spyOn(bots.app.get(Embedding), 'dimensions').mockRejectedValueOnce(refused);
    await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
    const { sync_status, reason } = await knowledge.settled(ann, id);
    expect([sync_status, reason]).toEqual(['FAILED', expect.stringContaining(refused.message)]);
  });
});

describe('web pages', () => {
  it('are read, and left alone while they do not change', async () => {
    let reads = 0;
    const site = await webSite((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
      reads++;
      response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' });
      return response.end(
        '<html><head><title>Harbour</title></head><body><main><p>The harbour opens at dawn for all boats.</p></main></body></html>',
      );
    });
    try {
      const id = newId();
      await bots.create(ann, { id, knowledge: { source_urls: [`${site.url}/harbour`] } });
      expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'SUCCEEDED', reason: '' });
      const { body } = await knowledge.search(ann, id, 'When does the harbour open?');
      expect(body.results[0]).toMatchObject({ source: `${site.url}/harbour`, source_name: 'Harbour' });
      await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
      await waitFor(async () => (await knowledge.settled(ann, id)).because === 'requested', { what: 'the requested run' });
      expect([reads, (await knowledge.run(ann, id)).body.sources.pages]).toEqual([1, { done: 1, failed: 0, total: 1, unchanged: 1 }]);
      expect(await knowledge.found(ann, id, 'harbour')).toEqual([`${site.url}/harbour`]);
    } finally {
      await site.stop();
    }
  });
  it('at forbidden addresses fail the run without a connection', async () => {
    const id = newId();
    await bots.create(ann, { id, knowledge: { source_urls: ['http://169.254.169.254/latest/meta-data/', 'http://[::1]:1/'] } });
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'FAILED', sources: { pages: { failed: 2 } } });
  });
});

describe('many uploads at the same time', () => {
  it('get an address each', async () => {
    const id = newId();
    const address = (number: number) =>
      bots.get(`/bot/${id}/presigned-url?filename=${number}.txt&content_type=text/plain`, bots.creator(ann));
    const answers = await Promise.all(Array.from({ length: 64 }, (_, number) => address(number)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('runs that wait', () => {
  it('of others do not wait for all slow sources of one user', async () => {
    const [slow, dan, eve] = [newId(), newId(), newId()];
    const held = new Map<string, () => void>();
    const site = await webSite((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      held.set(request.url!, () => response.writeHead(200, { 'content-type': 'text/plain' }).end('The lighthouse is lit at dusk.'));
    });
    const botOf = async (owner: string, path: string) => {
      const id = newId();
      await bots.create(owner, { id, knowledge: { source_urls: [site.url + path] } });
      return id;
    };
    try {
      const all: string[] = [];
      for (let nth = 0; nth < 6; nth++) all.push(await botOf(slow, `/slow-${nth}`));
      await waitFor(async () => held.size === 2, { what: 'two of the runs to begin' });
      await botOf(dan, '/dan');
      await waitFor(async () => held.has('/dan'), { what: 'the run of another user to begin' });
      const last = await botOf(eve, '/eve');
      held.get('/dan')!();
      await waitFor(async () => held.has('/eve'), { what: 'the run of a third user to begin' });
      held.get('/eve')!();
      expect((await knowledge.settled(eve, last)).sync_status).toBe('SUCCEEDED');
      // The user with the slow sources has two runs, and they came in the order in which they were asked for.
      expect([...held.keys()].sort()).toEqual(['/dan', '/eve', '/slow-0', '/slow-1']);
      for (const id of all) await bots.ask('DELETE', `/bot/${id}`, bots.service.as(slow));
    } finally {
      await site.stop();
    }
  });
});

describe('what is left', () => {
  const erase = async (userId: string) =>
    (await bots.ask('POST', '/internal/erasures', bots.service.asService('identity'), { user_id: userId })).body.removed;

  const cleanUpAfter = async (millis: number) => {
    bots.service.later(millis);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-millis);
  };

  it('of a deleted bot: neither files nor an index', async () => {
    const id = await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    expect((await knowledge.keys(`knowledge/${ann}/${id}/`)).length).toBe(1);
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${id}/`)).length + (await indexesOf(id)).length === 0, {
      what: 'the files and the index to be removed',
    });
  });
  it('of an erased user: nothing, and the receipt counts it', async () => {
    const [cat, id] = [newId(), newId()];
    await knowledge.upload(cat, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    await knowledge.upload(cat, newId(), 'never-saved.txt', 'No bot has this.');
    await bots.create(cat, { id, knowledge: { filenames: ['ships.txt'] } });
    await knowledge.settled(cat, id);
    const removed = { bots: 1, shelf_entries: 0, files: 2, chunks: 1 };
    expect(await erase(cat)).toEqual(removed);
    expect([await knowledge.keys(`knowledge/${cat}/`), await indexesOf(id)]).toEqual([[], []]);
    expect(await erase(cat)).toEqual(removed);
  });
  it('of uploads for a bot of another user: that bot is untouched', async () => {
    const [dan, id] = [newId(), await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' })];
    await knowledge.upload(dan, id, 'ships.txt', 'Planted text.');
    expect(await erase(dan)).toMatchObject({ bots: 0, files: 1, chunks: 0 });
    expect((await knowledge.search(ann, id, 'ferry')).body.results[0].content).toContain('Bergen');
  });
  it('is not the index of a run that writes nothing for an hour', async () => {
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
    expect((await indexesOf(id)).length).toBe(1);
    goOn();
    get.mockRestore();
    expect((await knowledge.settled(ann, id)).sync_status).toBe('SUCCEEDED');
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
  it('of an upload that arrived after its bot was deleted: nothing, when its address has expired', async () => {
    const id = await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const [key] = await knowledge.keys(`knowledge/${ann}/${id}/`);
    await bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann));
    await waitFor(async () => (await knowledge.keys(`knowledge/${ann}/${id}/`)).length === 0, { what: 'the files to be removed' });
    await knowledge.objects.put(key!, Buffer.from('Too late.'), { contentType: 'text/plain' });
    await cleanUpAfter(3 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toEqual([]);
  });
  it('of an upload that arrived after its owner was erased: nothing, when its address has expired', async () => {
    const [cat, id] = [newId(), newId()];
    await knowledge.upload(cat, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const [key] = await knowledge.keys(`knowledge/${cat}/${id}/`);
    await erase(cat);
    await knowledge.objects.put(key!, Buffer.from('Too late.'), { contentType: 'text/plain' });
    await cleanUpAfter(3 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${cat}/`)).toEqual([]);
  });
  it('of an unused upload that arrived some minutes after its address was given out: nothing, after a day', async () => {
    const unsaved = newId();
    bots.service.later(-1_800_000);
    await knowledge.upload(ann, unsaved, 'draft.txt', 'Never saved.');
    bots.service.later(1_800_000);
    await cleanUpAfter(24 * 3_600_000 - 1_700_000);
    await cleanUpAfter(25 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${ann}/${unsaved}/`)).toEqual([]);
  });
  it('after a day: no uploads that no bot uses, and no index that no bot uses', async () => {
    const [used, unsaved] = [await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' }), newId()];
    await knowledge.upload(ann, used, 'spare.txt', 'Never saved.');
    await knowledge.upload(ann, unsaved, 'draft.txt', 'Never saved.');
    const indexes = bots.app.get(KnowledgeIndexes);
    const orphan = await indexes.build({ botId: used, generation: newId() }, { dimensions: null, embeddingModel: null });
    await orphan.finish();
    await bots.app.get(KnowledgeCleanUp).run();
    expect([(await knowledge.keys(`knowledge/${ann}/${used}/`)).length, (await indexesOf(used)).length]).toEqual([2, 2]);
    bots.service.later(25 * 3_600_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-25 * 3_600_000);
    expect([(await knowledge.keys(`knowledge/${ann}/${used}/`)).length, (await indexesOf(used)).length]).toEqual([1, 1]);
    expect(await knowledge.keys(`knowledge/${ann}/${unsaved}/`)).toEqual([]);
    expect(await knowledge.found(ann, used, 'ferry')).toEqual(['ships.txt']);
  });
  it('after a day: no uploads of another user under the name of a file that the bot uses', async () => {
    const [dan, id] = [newId(), await botWith({ 'ships.txt': 'The ferry to Bergen leaves at noon.' })];
    await knowledge.upload(dan, id, 'ships.txt', 'Planted text.');
    bots.service.later(25 * 3_600_000);
    await bots.app.get(KnowledgeCleanUp).run();
    bots.service.later(-25 * 3_600_000);
    expect(await knowledge.keys(`knowledge/${dan}/`)).toEqual([]);
    expect(await knowledge.keys(`knowledge/${ann}/${id}/`)).toHaveLength(1);
  });
  it('after a minute: no place of a dedicated knowledge base whose bot was not saved', async () => {
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
