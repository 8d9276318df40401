import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import { MAX_OPEN_BATCHES } from '../../../src/domain/gateway/gateway-limits.ts';
import { RemoveBatchesWhenTheirTimeIsOver } from '../../../src/policies/remove-batches-when-their-time-is-over.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { json } from '../mock-provider.ts';
import { answer, BatchPrograms, begin, lineOf, linesOf, until, upload } from './batch-programs.ts';

const MONTH = 31 * 86_400_000;

export function batches(start: () => CallsWorld): void {
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

    it('send each request once, and have the answers in order, with the client of OpenAI', async () => {
      const who = programs.add();
      const ids = Array.from({ length: 20 }, (_, index) => `request-${index}`);
      const begun = await begin(
        who.openai,
        ids.map((id) => lineOf(id)),
        { metadata: { job: 'Nightly' } },
      );
      expect(begun).toMatchObject({
        object: 'batch',
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
        metadata: { job: 'Nightly' },
      });
      const batch = await until(who.openai, begun.id, 'completed');
      expect(batch).toMatchObject({ errors: null, error_file_id: null, request_counts: { total: 20, completed: 20, failed: 0 } });
      const lines = await linesOf(who.openai, batch.output_file_id);
      expect(lines.map(({ custom_id }) => custom_id)).toEqual(ids);
      expect(lines[0]).toEqual({
        id: expect.stringMatching(/^batch_req_/),
        custom_id: 'request-0',
        response: { status_code: 200, request_id: expect.any(String), body: answer },
        error: null,
      });
      const sent = world.provider.requests.map(({ body }) => JSON.parse(body).messages[0].content as string);
      expect(sent.toSorted()).toEqual(ids.toSorted());
      const records = await world.recordOf(who);
      expect(records).toHaveLength(20);
      expect(records[0]).toMatchObject({
        endpoint: 'chat/completions',
        status: 'completed',
        user_id: who.userId,
        usage: { input_tokens: 10 },
      });
      expect(records.map(({ call_id }) => call_id).toSorted()).toEqual(lines.map(({ response }) => response.request_id).toSorted());
      expect((await who.openai.batches.list()).data.map(({ id }) => id)).toEqual([batch.id]);
      expect((await who.openai.files.list({ purpose: 'batch_output' })).data.map(({ id }) => id)).toEqual([batch.output_file_id]);
      await waitFor(async () => (await programs.results(batch.id)).length === 0, { what: 'the removal of the results' });
    });

    it('have refused requests in the file of errors, as direct calls get them', async () => {
      const who = programs.add({ models: ['gpt'] });
      world.provider.respond = (res, { body }) =>
        body.includes('bad') ? json(res, 400, { error: { message: 'No.', code: 'bad_one' } }) : json(res, 200, answer);
      const begun = await begin(who.openai, [lineOf('good'), lineOf('bad'), lineOf('other', 'x', 'claude')]);
      const batch = await until(who.openai, begun.id, 'completed');
      expect(batch.request_counts).toEqual({ total: 3, completed: 1, failed: 2 });
      expect((await linesOf(who.openai, batch.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['good']);
      expect(await linesOf(who.openai, batch.error_file_id)).toMatchObject([
        { custom_id: 'bad', response: { status_code: 400, body: { error: { code: 'bad_one' } } }, error: null },
        { custom_id: 'other', response: { status_code: 404, body: { error: { code: 'model_not_found' } } }, error: null },
      ]);
    });

    it('fail with the lines that are not valid, and send nothing', async () => {
      const { openai } = programs.add();
      const stream = JSON.stringify({ custom_id: 's', method: 'POST', url: '/v1/chat/completions', body: { model: 'gpt', stream: true } });
      const { id } = await begin(openai, [
        lineOf('a'),
        'no json',
        lineOf('a'),
        lineOf('b').replace('completions', 'other'),
        lineOf('c').replace('POST', 'GET'),
        stream,
      ]);
      const { errors, output_file_id } = await until(openai, id, 'failed');
      expect(output_file_id).toBeNull();
      expect(errors?.data?.map(({ line, code }) => [line, code])).toEqual([
        [2, 'invalid_json'],
        [3, 'duplicate_custom_id'],
        [4, 'url_mismatch'],
        [5, 'invalid_line'],
        [6, 'invalid_line'],
      ]);
      expect(world.provider.requests).toEqual([]);
    });

    it('wait for the limits of their token', async () => {
      const who = programs.add({ max_parallel_requests: 1 });
      const { id } = await begin(
        who.openai,
        ['a', 'b', 'c'].map((each) => lineOf(each)),
      );
      expect((await until(who.openai, id, 'completed')).request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
      expect(await world.recordOf(who)).toHaveLength(3);
    });

    it('are hidden from other users, and are refused for files of other users', async () => {
      const [who, other] = [programs.add(), programs.add()];
      const { id, input_file_id } = await begin(who.openai, [lineOf('a')]);
      await expect(other.openai.batches.retrieve(id)).rejects.toMatchObject({ status: 404, code: 'batch_not_found' });
      await expect(other.openai.batches.cancel(id)).rejects.toMatchObject({ status: 404, code: 'batch_not_found' });
      const request = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
      await expect(other.openai.batches.create({ ...request, input_file_id })).rejects.toMatchObject({
        status: 404,
        code: 'file_not_found',
      });
      const batch = await until(who.openai, id, 'completed');
      await expect(who.openai.batches.create({ ...request, input_file_id: batch.output_file_id! })).rejects.toMatchObject({
        status: 400,
        code: 'not_batch_file',
        param: 'input_file_id',
      });
      expect(errorOf(await world.ask('/v1/batches', who.headers, { ...request, input_file_id, endpoint: '/v1/rerank' }))).toEqual([
        400,
        'invalid_body',
      ]);
      expect(errorOf(await world.ask('/v1/batches', world.service.as(who.userId)))).toEqual([403, 'models_token_needed']);
    });

    it('are limited for each user, also by requests at the same time, until one ends', async () => {
      const who = programs.add();
      const held = Promise.withResolvers<void>();
      world.provider.respond = (res) => void held.promise.then(() => json(res, 200, answer));
      const file = await upload(who.openai, [lineOf('a')]);
      const request = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
      const all = await Promise.allSettled(Array.from({ length: MAX_OPEN_BATCHES + 10 }, () => who.openai.batches.create(request)));
      const begun = all.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      expect(begun).toHaveLength(MAX_OPEN_BATCHES);
      expect(all.flatMap((each) => (each.status === 'rejected' ? each.reason.code : []))).toEqual(Array(10).fill('too_many_batches'));
      for (const { id } of begun) await who.openai.batches.cancel(id);
      held.resolve();
      await waitFor(() => programs.tryAgain().then(async () => (await who.openai.batches.retrieve(begun[3]!.id)).status === 'cancelled'), {
        what: 'the end of a batch',
      });
      begun.push(await who.openai.batches.create(request));
      const isOver = async () =>
        (await who.openai.batches.list()).data.every(({ status }) => status === 'cancelled' || status === 'completed');
      await waitFor(() => programs.tryAgain().then(isOver), { what: 'the end of all batches' });
    });

    it('are removed from the list a month after their end, or when a hold on their user ends', async () => {
      const { openai, userId } = programs.add();
      const { id } = await begin(openai, [lineOf('a')]);
      await until(openai, id, 'completed');
      const policy = world.service.part(RemoveBatchesWhenTheirTimeIsOver);
      await policy.remove();
      expect((await openai.batches.retrieve(id)).id).toBe(id);
      world.service.later(MONTH);
      const holdId = newId();
      await world.hold('place', holdId, userId);
      await policy.remove();
      expect((await openai.batches.retrieve(id)).id).toBe(id);
      await world.hold('end', holdId, userId);
      await policy.remove();
      await expect(openai.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
    });
  });
}
