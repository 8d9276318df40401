import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { RemoteRefused } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { Embedding } from '../src/adapters/embedding.ts';
import { MOST_TRIES } from '../src/domain/knowledge-sync.ts';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest, webSite } from './knowledge-under-test.ts';

const ann = newId();

const bots = await BotsUnderTest.start({ PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

describe('a fault that is not one of the sources', () => {
  it('is followed by another try after a pause', async () => {
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
  it('fails the run after some tries, with what to do', async () => {
    const id = newId();
    const get = jest.spyOn(knowledge.objects, 'get').mockRejectedValue(new Error('EIO'));
    try {
      await bots.create(ann, { id, knowledge: { filenames: ['ships.txt'] } });
      const hasTriedOften = () => {
        bots.service.later(60_000);
        return get.mock.calls.length >= MOST_TRIES;
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
