import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { RunsUnderTest } from './runs-under-test.ts';

export function runIndexes(runs: RunsUnderTest): void {
  const { ann, bots, knowledge, readAgain } = runs;

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
}
