import { describe, expect, it, jest } from '@jest/globals';
import { DocumentReader, DocumentReaderNotStarted } from '@parlance/documents';
import { newId } from '@parlance/event-store';
import { RemoteRefused } from '@parlance/retrieval';
import { waitFor } from '@parlance/testing';
import { Embedding } from '../../src/adapters/embedding.ts';
import { MOST_TRIES } from '../../src/domain/knowledge/sync-faults.ts';
import type { RunsUnderTest } from './runs-under-test.ts';

export function runFaults(runs: RunsUnderTest): void {
  const { ann, bots, knowledge } = runs;

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
          const { sync_status, cause: its, reason } = (await knowledge.run(ann, id)).body;
          if (reason === '') return false;
          expect([sync_status, its.code, reason]).toEqual([
            'RUNNING',
            'storage_unavailable',
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
      expect((await knowledge.run(ann, id)).body).toMatchObject({ reason: '', cause: null });
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
        const { cause: its, reason } = (await knowledge.run(ann, id)).body;
        expect([read.mock.calls.length, its, reason]).toEqual([
          MOST_TRIES.reader,
          { code: 'reader_not_started', failed: 0, total: 0, sources: [] },
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
      const { sync_status, cause, reason } = await knowledge.settled(ann, id);
      expect([sync_status, cause.code, reason]).toEqual(['FAILED', 'model_refused', expect.stringContaining(refused.message)]);
    });
  });
}
