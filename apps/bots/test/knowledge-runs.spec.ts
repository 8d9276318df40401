import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { DocumentReader, DocumentReaderNotStarted, DocumentRefused } from '@parlance/documents';
import { newId } from '@parlance/event-store';
import { RemoteRefused } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { Embedding } from '../src/adapters/embedding.ts';
import { MOST_TRIES } from '../src/domain/knowledge/sync-faults.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest, webSite } from './knowledge-under-test.ts';

const ann = newId();

const bots = await BotsUnderTest.start({ PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

/** Reads the sources again without a change of the bot. */
async function readAgain(id: string): Promise<void> {
  const { execution_id: before } = (await knowledge.run(ann, id)).body;
  await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
  await waitFor(async () => (await knowledge.settled(ann, id)).execution_id !== before, { what: 'the requested run' });
}

describe('a fault that is not in a source', () => {
  it('is followed by another attempt after a pause', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const get = jest.spyOn(knowledge.objects, 'get').mockRejectedValueOnce(new Error('EIO'));
    await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
    await waitFor(() => get.mock.calls.length === 1, { what: 'the first try' });
    get.mockRestore();
    const isRead = async () => {
      bots.service.later(60_000);
      return (await knowledge.run(ann, id)).body.sync_status === 'SUCCEEDED';
    };
    await waitFor(isRead, { what: 'the second try' });
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'SUCCEEDED' });
  });
  it('fails the run after some attempts, with advice on what to do', async () => {
    const id = newId();
    const get = jest.spyOn(knowledge.objects, 'get').mockRejectedValue(new Error('EIO'));
    try {
      await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
      const hasTriedOften = () => {
        bots.service.later(60_000);
        return get.mock.calls.length >= MOST_TRIES.other;
      };
      await waitFor(hasTriedOften, { what: 'the last try' });
      const { sync_status, step, reason } = await knowledge.settled(ann, id);
      expect([sync_status, step, reason]).toEqual([
        'FAILED',
        'download',
        expect.stringMatching(/^A fault of this installation ended the run .{26}\. Save the bot again later\./),
      ]);
    } finally {
      get.mockRestore();
    }
  });
  it('is shown with the run while the object store is away, and the run succeeds when it is back', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const down = { status: 'down', since: 1, latency_ms: null, bytes: null } as const;
    const state = jest.spyOn(bots.service.host.objects.health!, 'state').mockResolvedValue(down);
    try {
      await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
      let tries = 0;
      const isShown = async () => {
        const { sync_status, reason } = (await knowledge.run(ann, id)).body;
        if (reason === '') return false;
        expect([sync_status, reason]).toEqual([
          'RUNNING',
          expect.stringMatching(/^The object store of .* The run is tried again by itself\./),
        ]);
        bots.service.later(60_000);
        return ++tries > MOST_TRIES.other;
      };
      await waitFor(isShown, { what: 'the reason' });
      // Empty while the next try runs.
      const isInBot = async () =>
        (await bots.get(`/bot/${id}`, bots.service.as(ann))).body.sync_status_reason.startsWith('The object store');
      await waitFor(isInBot, { what: 'the reason in the bot' });
    } finally {
      state.mockRestore();
    }
    const isRead = async () => {
      bots.service.later(60_000);
      return (await knowledge.run(ann, id)).body.sync_status === 'SUCCEEDED';
    };
    await waitFor(isRead, { what: 'the next try' });
    expect((await knowledge.run(ann, id)).body.reason).toBe('');
  });
  it('fails the run after three tries if the process that reads files cannot be started', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    const cause = new DocumentReaderNotStarted(new Error('EACCES'));
    const read = jest.spyOn(bots.app.get(DocumentReader), 'read').mockRejectedValue(cause);
    try {
      await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
      const hasFailed = async () => {
        bots.service.later(60_000);
        return (await knowledge.run(ann, id)).body.sync_status === 'FAILED';
      };
      await waitFor(hasFailed, { what: 'the run to fail' });
      const { reason } = (await knowledge.run(ann, id)).body;
      expect([read.mock.calls.length, reason]).toEqual([
        MOST_TRIES.reader,
        expect.stringMatching(/^The files were not read, because this installation cannot start the program that reads files\./),
      ]);
    } finally {
      read.mockRestore();
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

describe('an index that a newer one replaces', () => {
  it('stays while a backup holds removals', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    const release = bots.service.host.directory!.removals.hold();
    try {
      await bots.ask('POST', `/bot/${id}/knowledge/sync`, bots.service.as(ann));
      await waitFor(async () => (await knowledge.settled(ann, id)).because === 'requested', { what: 'the requested run' });
      expect(await knowledge.indexesOf(id)).toHaveLength(2);
    } finally {
      release();
    }
    await waitFor(async () => (await knowledge.indexesOf(id)).length === 1, { what: 'the removal of the earlier index' });
  });
});

describe('a damaged index', () => {
  it('makes searches unavailable with the remedy, and a run replaces it', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    await knowledge.damageIndex(id);
    expect((await knowledge.search(ann, id, 'ferry')).body).toMatchObject({
      status: 503,
      code: 'knowledge_unavailable',
      detail: expect.stringContaining('start a run that reads its sources again'),
    });
    await readAgain(id);
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'SUCCEEDED' });
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
});

describe('web pages', () => {
  it('are read, and not read again while they are unchanged', async () => {
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

describe('a source without text', () => {
  it('is a warning, which disappears when all sources have text', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.', 'empty.txt': '' });
    const run = (await knowledge.run(ann, id)).body;
    expect(run).toMatchObject({
      sync_status: 'SUCCEEDED',
      reason: '',
      sources: { files: { done: 2, failed: 0, total: 2 } },
      warnings: [{ source: 'empty.txt', reason: 'This file is empty. Upload a file with content.' }],
      warning_count: 1,
    });
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
    await knowledge.upload(ann, id, 'empty.txt', 'Trams run all night.');
    await readAgain(id);
    expect((await knowledge.run(ann, id)).body).toMatchObject({ sync_status: 'SUCCEEDED', warnings: [], warning_count: 0 });
    expect(await knowledge.found(ann, id, 'trams')).toEqual(['empty.txt']);
  });
  it('fails the run if no source has text, and the earlier text stays', async () => {
    const id = await knowledge.botWith(ann, { 'ships.txt': 'The ferry to Bergen leaves at noon.' });
    await knowledge.upload(ann, id, 'ships.txt', ' ');
    await knowledge.save(ann, id, { knowledge: { filenames: ['ships.txt'] } });
    const run = await knowledge.settled(ann, id);
    expect([run.sync_status, run.reason]).toEqual(['FAILED', expect.stringContaining('No source has text.')]);
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
});

describe('a bot that skips sources', () => {
  const skipping = { bedrock_knowledge_base: { on_source_error: 'skip' } };
  const botWith = async (filenames: readonly string[]) => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    await bots.create(ann, { id, ...skipping, knowledge: { filenames } });
    return { id, run: await knowledge.settled(ann, id) };
  };
  const missing = { source: 'missing.txt', reason: 'The file was not uploaded. Upload it, and read the sources again.' };

  it('succeeds without unreadable sources, and names them after each run', async () => {
    const { id, run } = await botWith(['ships.txt', 'missing.txt']);
    const expected = {
      sync_status: 'SUCCEEDED',
      reason: '',
      sources: { files: { done: 1, failed: 1, total: 2 } },
      warnings: [missing],
      warning_count: 1,
      chunks_in_service: 1,
    };
    expect(run).toMatchObject(expected);
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
    await readAgain(id);
    expect((await knowledge.run(ann, id)).body).toMatchObject({ ...expected, because: 'requested' });
  });
  it('names no source when all can be read', async () => {
    const { id } = await botWith(['ships.txt', 'missing.txt']);
    await knowledge.upload(ann, id, 'missing.txt', 'Trams run all night.');
    await readAgain(id);
    expect((await knowledge.run(ann, id)).body).toMatchObject({ sync_status: 'SUCCEEDED', warnings: [], warning_count: 0 });
    expect(await knowledge.found(ann, id, 'trams')).toEqual(['missing.txt']);
  });
  it('fails if no source can be read, and answers from the previous index', async () => {
    const { id } = await botWith(['ships.txt']);
    await knowledge.save(ann, id, { knowledge: { filenames: ['missing.txt'] } });
    const run = await knowledge.settled(ann, id);
    expect([run.sync_status, run.reason]).toEqual(['FAILED', expect.stringContaining('The only source could not be read.')]);
    expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
  });
  it('contains nothing of a source that fails in the middle', async () => {
    const id = newId();
    await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
    await knowledge.upload(ann, id, 'torn.txt', 'The ferry to Kiel is torn.');
    const reader = bots.app.get(DocumentReader);
    const readAll = reader.read.bind(reader);
    const read = jest.spyOn(reader, 'read').mockImplementation(async (file, chunking, options) => {
      const done = await readAll(file, chunking, options);
      if (file.name === 'torn.txt') throw new DocumentRefused('timeout', 'Reading this file takes too long.');
      return done;
    });
    try {
      await bots.create(ann, { id, ...skipping, knowledge: { filenames: ['ships.txt', 'torn.txt'] } });
      const warnings = [{ source: 'torn.txt', reason: 'Reading this file takes too long.' }];
      expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'SUCCEEDED', warnings, chunks_in_service: 1 });
      expect(await knowledge.found(ann, id, 'ferry')).toEqual(['ships.txt']);
    } finally {
      read.mockRestore();
    }
  });
  it('reads the sources again when it no longer skips them', async () => {
    const { id } = await botWith(['ships.txt', 'missing.txt']);
    await knowledge.save(ann, id, { bedrock_knowledge_base: { on_source_error: 'fail' } });
    expect(await knowledge.settled(ann, id)).toMatchObject({ sync_status: 'FAILED', warnings: [missing] });
  });
});

describe('runs that wait', () => {
  it('of other users do not wait for all slow sources of one user', async () => {
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
      for (let index = 0; index < 6; index++) all.push(await botOf(slow, `/slow-${index}`));
      await waitFor(async () => held.size === 2, { what: 'two of the runs to begin' });
      await botOf(dan, '/dan');
      await waitFor(async () => held.has('/dan'), { what: 'the run of another user to begin' });
      const last = await botOf(eve, '/eve');
      held.get('/dan')!();
      await waitFor(async () => held.has('/eve'), { what: 'the run of a third user to begin' });
      held.get('/eve')!();
      expect((await knowledge.settled(eve, last)).sync_status).toBe('SUCCEEDED');
      // The user with the slow sources has two runs, started in the order of their requests.
      expect([...held.keys()].sort()).toEqual(['/dan', '/eve', '/slow-0', '/slow-1']);
      for (const id of all) await bots.ask('DELETE', `/bot/${id}`, bots.service.as(slow));
    } finally {
      await site.stop();
    }
  });
});
