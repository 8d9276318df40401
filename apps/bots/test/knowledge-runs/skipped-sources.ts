import { describe, expect, it, jest } from '@jest/globals';
import { DocumentReader, DocumentRefused } from '@parlance/documents';
import { newId } from '@parlance/event-store';
import type { RunsUnderTest } from './runs-under-test.ts';

export function skippedSources(runs: RunsUnderTest): void {
  const { ann, bots, knowledge, readAgain } = runs;

  describe('a bot that skips sources', () => {
    const skipping = { bedrock_knowledge_base: { on_source_error: 'skip' } };
    const botWith = async (filenames: readonly string[]) => {
      const id = newId();
      await knowledge.upload(ann, id, 'ships.txt', 'The ferry to Bergen leaves at noon.');
      await bots.create(ann, { id, ...skipping, knowledge: { filenames } });
      return { id, run: await knowledge.settled(ann, id) };
    };
    const missing = {
      source: 'missing.txt',
      reason: 'The file was not uploaded. Upload it, and read the sources again.',
      code: 'not_uploaded',
    };

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
        const warnings = [{ source: 'torn.txt', reason: 'Reading this file takes too long.', code: 'timeout' }];
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
}
