import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import OpenAI, { toFile } from 'openai';
import { MAX_OPEN_BATCHES } from '../../../src/domain/gateway/gateway-limits.ts';
import { RemoveBatchesWhenTheirTimeIsOver } from '../../../src/policies/remove-batches-when-their-time-is-over.ts';
import { BatchProgress } from '../../../src/workflows/gateway/batch-progress.ts';
import { RunningBatches } from '../../../src/workflows/gateway/running-batches.ts';
import { type CallsWorld, errorOf } from '../calls-world.ts';
import { json } from '../mock-provider.ts';
import { openAiOf } from './stored-files.ts';
import { TokensOfBatches } from './tokens-of-batches.ts';

const MONTH = 31 * 86_400_000;
/** The longest pause before a batch is taken up again. */
const LONGEST_PAUSE = 600_000;
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

const lineOf = (custom_id: string, content = custom_id, model = 'gpt') =>
  JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content }] } });

export function batches(start: () => CallsWorld): void {
  describe('batches', () => {
    let world: CallsWorld;
    const tokens = new TokensOfBatches();
    beforeAll(async () => {
      world = start();
      await tokens.enter(world.service);
    });
    beforeEach(() => {
      world.forgetTargets();
      world.provider.requests.length = 0;
      world.provider.respond = (res) => json(res, 200, answer);
    });

    const program = (terms: object = {}) => {
      const [tokenId, userId] = [newId(), newId()];
      tokens.add(tokenId, userId, terms);
      const headers = world.service.asModelsToken(tokenId, userId, terms);
      return { tokenId, userId, headers, openai: openAiOf(world, headers) };
    };
    const upload = async (openai: OpenAI, lines: readonly string[]) =>
      openai.files.create({ file: await toFile(Buffer.from(`${lines.join('\n')}\n`), 'requests.jsonl'), purpose: 'batch' });
    const begin = async (openai: OpenAI, lines: readonly string[], more: object = {}) => {
      const { id } = await upload(openai, lines);
      return openai.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', ...more });
    };
    const until = async (openai: OpenAI, id: string, status: string) => {
      await waitFor(async () => (await openai.batches.retrieve(id)).status === status, { what: `the batch to be ${status}` });
      return openai.batches.retrieve(id);
    };
    const linesOf = async (openai: OpenAI, id: string | null | undefined) => {
      const text = await (await openai.files.content(id!)).text();
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const tryAgain = async () => {
      world.service.later(LONGEST_PAUSE);
      await world.service.part(RunningBatches).takeWaiting();
    };
    const results = async (id: string) => {
      const all = await (await world.service.host.objects.store()).list('gateway-batches/', { limit: 1_000 });
      return all.map(({ key }) => key).filter((key) => key.includes(id.slice('batch_'.length)));
    };

    it('send each request once, and have the answers in order, with the client of OpenAI', async () => {
      const who = program();
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
      await waitFor(async () => (await results(batch.id)).length === 0, { what: 'the removal of the results' });
    });

    it('have refused requests in the file of errors, as direct calls get them', async () => {
      const who = program({ models: ['gpt'] });
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
      const { openai } = program();
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
      const who = program({ max_parallel_requests: 1 });
      const { id } = await begin(
        who.openai,
        ['a', 'b', 'c'].map((each) => lineOf(each)),
      );
      expect((await until(who.openai, id, 'completed')).request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
      expect(await world.recordOf(who)).toHaveLength(3);
    });

    it('fail with what they have when their token is revoked', async () => {
      const who = program();
      world.provider.respond = (res) => {
        tokens.revoke(who.tokenId);
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
      const who = program();
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

    it('are hidden from other users, and are refused for files of other users', async () => {
      const [who, other] = [program(), program()];
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

    it('have their answers although the object store refuses their files for hours, or a result is damaged', async () => {
      const who = program();
      const held = Promise.withResolvers<void>();
      world.provider.respond = (res, { body }) =>
        void (body.includes('last') ? held.promise : Promise.resolve()).then(() => json(res, 200, answer));
      const { id } = await begin(
        who.openai,
        ['a', 'b', 'c', 'last'].map((each) => lineOf(each)),
      );
      await waitFor(async () => (await results(id)).length === 3, { what: 'three results' });
      const objects = await world.service.host.objects.store();
      const [, damaged] = await results(id);
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
          await waitFor(() => tryAgain().then(() => refused >= attempt), { what: 'the store to refuse the file' });
          expect((await who.openai.batches.retrieve(id)).status).toBe('finalizing');
        }
      } finally {
        refusing.mockRestore();
      }
      await waitFor(() => tryAgain().then(async () => (await results(id)).length === 0), { what: 'the end of the batch' });
      const batch = await until(who.openai, id, 'completed');
      expect(batch.request_counts).toEqual({ total: 4, completed: 3, failed: 1 });
      expect((await linesOf(who.openai, batch.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['a', 'c', 'last']);
      expect(await linesOf(who.openai, batch.error_file_id)).toMatchObject([{ custom_id: 'b', error: { code: 'result_damaged' } }]);
      expect(await world.recordOf(who)).toHaveLength(4);
    });

    it('leave no second copy of their files after a crash before their end', async () => {
      const who = program();
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
      await waitFor(() => tryAgain().then(async () => (await who.openai.batches.retrieve(id)).status === 'completed'), { what: 'the end' });
      crashing.mockRestore();
      const { output_file_id } = await who.openai.batches.retrieve(id);
      expect(left!.id).not.toBe(output_file_id);
      expect((await who.openai.files.list({ purpose: 'batch_output' })).data.map((file) => file.id)).toEqual([output_file_id]);
    });

    it('are limited for each user, also by requests at the same time, until one ends', async () => {
      const who = program();
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
      await waitFor(() => tryAgain().then(async () => (await who.openai.batches.retrieve(begun[3]!.id)).status === 'cancelled'), {
        what: 'the end of a batch',
      });
      begun.push(await who.openai.batches.create(request));
      const isOver = async () =>
        (await who.openai.batches.list()).data.every(({ status }) => status === 'cancelled' || status === 'completed');
      await waitFor(() => tryAgain().then(isOver), { what: 'the end of all batches' });
    });

    it('are removed from the list a month after their end', async () => {
      const { openai } = program();
      const { id } = await begin(openai, [lineOf('a')]);
      await until(openai, id, 'completed');
      const policy = world.service.part(RemoveBatchesWhenTheirTimeIsOver);
      await policy.remove();
      expect((await openai.batches.retrieve(id)).id).toBe(id);
      world.service.later(MONTH);
      await policy.remove();
      await expect(openai.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
    });
  });
}
