import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { BatchProgress } from '../../../src/workflows/gateway/batch-progress.ts';
import type { CallsWorld } from '../calls-world.ts';
import { json } from '../mock-provider.ts';
import { answer, BatchPrograms, begin, lineOf, linesOf, until } from './batch-programs.ts';
import { openAiOf } from './stored-files.ts';

export function interruptedBatches(start: () => CallsWorld): void {
  describe('batches', () => {
    let world: CallsWorld;
    let programs: BatchPrograms;
    beforeAll(async () => {
      world = start();
      programs = await BatchPrograms.enter(world);
    });
    beforeEach(() => {
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, answer);
    });

    it('fail with what they have when their token is revoked', async () => {
      const who = programs.add();
      world.provider.respond = (res) => {
        programs.tokens.revoke(who.tokenId);
        // The terms of a token are read again every two seconds.
        world.service.later(2_000);
        json(res, 200, answer);
      };
      const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
      const { id } = await begin(
        who.openai,
        ids.map((each) => lineOf(each)),
      );
      const batch = await until(openAiOf(world, who.headers), id, 'failed');
      expect(batch.errors?.data).toMatchObject([{ code: 'token_ended' }]);
      const { completed = 0 } = batch.request_counts!;
      expect([world.provider.requests.length, completed > 0 && completed < 12]).toEqual([completed, true]);
      const errors = await linesOf(who.openai, batch.error_file_id);
      expect([errors.length, errors[0]]).toEqual([
        12 - completed,
        expect.objectContaining({ response: null, error: { code: 'batch_token_ended', message: expect.any(String) } }),
      ]);
    });

    it('can be cancelled: requests in flight are completed, the others are not sent', async () => {
      const who = programs.add();
      const open: (() => void)[] = [];
      world.provider.respond = (res) => void open.push(() => json(res, 200, answer));
      const { id } = await begin(
        who.openai,
        ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) => lineOf(each)),
      );
      await waitFor(() => open.length === 4, { what: 'four requests' });
      expect((await who.openai.batches.cancel(id)).status).toBe('cancelling');
      for (const end of open) end();
      const batch = await until(who.openai, id, 'cancelled');
      expect(batch).toMatchObject({ request_counts: { total: 7, completed: 4, failed: 0 }, cancelled_at: expect.any(Number) });
      expect(open).toHaveLength(4);
      expect((await linesOf(who.openai, batch.error_file_id)).map(({ custom_id, error }) => [custom_id, error.code])).toEqual(
        ['e', 'f', 'g'].map((each) => [each, 'batch_cancelled']),
      );
      await expect(who.openai.batches.cancel(id)).rejects.toMatchObject({ status: 409, code: 'batch_ended' });
    });

    it('have their answers although the object store refuses their files for hours, or a result is damaged', async () => {
      const who = programs.add();
      const held = Promise.withResolvers<void>();
      world.provider.respond = (res, { body }) =>
        void (body.includes('last') ? held.promise : Promise.resolve()).then(() => json(res, 200, answer));
      const { id } = await begin(
        who.openai,
        ['a', 'b', 'c', 'last'].map((each) => lineOf(each)),
      );
      await waitFor(async () => (await programs.results(id)).length === 3, { what: 'three results' });
      const objects = await world.service.host.objects.store();
      const [, damaged] = await programs.results(id);
      await objects.put(damaged!, Buffer.alloc(200), { contentType: 'application/octet-stream' });
      const put = objects.put.bind(objects);
      let refused = 0;
      const refusing = jest.spyOn(objects, 'put').mockImplementation(async (key, ...rest) => {
        if (!key.startsWith('gateway-files/')) return put(key, ...rest);
        refused++;
        throw new Error('the quota of the store is used up');
      });
      held.resolve();
      await waitFor(() => refused === 1, { what: 'the end of the requests' });
      try {
        for (const attempt of [1, 2, 3]) {
          await waitFor(() => programs.tryAgain().then(() => refused >= attempt), { what: 'the store to refuse the file' });
          expect((await who.openai.batches.retrieve(id)).status).toBe('finalizing');
        }
      } finally {
        refusing.mockRestore();
      }
      await waitFor(() => programs.tryAgain().then(async () => (await programs.results(id)).length === 0), {
        what: 'the end of the batch',
      });
      const batch = await until(who.openai, id, 'completed');
      expect(batch.request_counts).toEqual({ total: 4, completed: 3, failed: 1 });
      expect((await linesOf(who.openai, batch.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['a', 'c', 'last']);
      expect(await linesOf(who.openai, batch.error_file_id)).toMatchObject([{ custom_id: 'b', error: { code: 'result_damaged' } }]);
      expect(await world.recordOf(who)).toHaveLength(4);
    });

    it('leave no second copy of their files after a crash before their end', async () => {
      const who = programs.add();
      const progress = world.service.part(BatchProgress);
      const execute = progress.execute.bind(progress);
      let isCrashed = false;
      const crashing = jest.spyOn(progress, 'execute').mockImplementation(async (batchId, command) => {
        if (command.type !== 'End' || isCrashed) return execute(batchId, command);
        isCrashed = true;
        throw new Error('the process ends here');
      });
      const { id } = await begin(who.openai, [lineOf('a')]);
      await waitFor(() => isCrashed, { what: 'the crash' });
      const [left] = (await who.openai.files.list({ purpose: 'batch_output' })).data;
      await waitFor(() => programs.tryAgain().then(async () => (await who.openai.batches.retrieve(id)).status === 'completed'), {
        what: 'the end',
      });
      crashing.mockRestore();
      const { output_file_id } = await who.openai.batches.retrieve(id);
      expect(left!.id).not.toBe(output_file_id);
      expect((await who.openai.files.list({ purpose: 'batch_output' })).data.map((file) => file.id)).toEqual([output_file_id]);
    });
  });
}
