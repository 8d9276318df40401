import { describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { webSite } from '../knowledge-under-test.ts';
import type { RunsUnderTest } from './runs-under-test.ts';

export function runSources(runs: RunsUnderTest): void {
  const { ann, bots, knowledge, readAgain } = runs;

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
        warnings: [{ source: 'empty.txt', reason: 'This file is empty. Upload a file with content.', code: 'no_text' }],
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
}
