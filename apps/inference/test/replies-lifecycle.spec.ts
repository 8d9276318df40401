import { afterAll, expect, it, jest } from '@jest/globals';
import { serviceUnderTest } from '@parlance/foundation/harness';
import { freePort, waitFor } from '@parlance/testing';
import request from 'supertest';
import { LocalExtractive, type Produced } from '@parlance/chat-models';
import { inference } from '../src/service.ts';
import { ReplyScheduler } from '../src/workflows/claiming/reply-scheduler.ts';
import { ReplyWriter } from '../src/workflows/writing/reply-writer.ts';

const ended: string[] = [];
const { promise: mayEnd, resolve: endGeneration } = Promise.withResolvers<void>();
async function* generated(): AsyncGenerator<Produced> {
  await mayEnd;
  yield { type: 'text', text: 'Yes.' };
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
  yield { type: 'end', stopReason: 'end_turn', usage, requestId: null };
}

jest.spyOn(LocalExtractive.prototype, 'generate').mockReturnValue(generated());
const { write } = ReplyWriter.prototype;
jest.spyOn(ReplyWriter.prototype, 'write').mockImplementation(async function (this: ReplyWriter, ...reply) {
  await write.apply(this, reply);
  ended.push('reply');
});
const service = await serviceUnderTest(inference, { PARLANCE_METRICS_PORT: `${await freePort()}` });
service.host.shutdown.stop('background', 'test', () => ended.push('consumers'));
const message = { content: [{ content_type: 'text', body: 'Are you there?' }] };
await request(service.server).post('/conversation').set(service.as('ann')).send({ message }).expect(202);
afterAll(async () => {
  endGeneration();
  await service.stop();
  jest.restoreAllMocks();
});

it('shows in health how many replies are running and pending', async () => {
  await waitFor(() => jest.mocked(LocalExtractive.prototype.generate).mock.calls.length === 1, { what: 'the reply' });
  const { body } = await request(service.server).get('/health/ready');
  expect(body.details.replies).toMatchObject({ inHand: 1, owed: 1 });
});

it('counts the pending replies in the metrics', async () => {
  const text = await (await fetch(`http://127.0.0.1:${service.host.metrics.port}/metrics`)).text();
  expect(text).toMatch(/^parlance_replies_owed\{service="inference"\} 1$/m);
});

it('waits for the running replies when the process stops', async () => {
  const { stop } = ReplyScheduler.prototype;
  jest.spyOn(ReplyScheduler.prototype, 'stop').mockImplementation(function (this: ReplyScheduler) {
    endGeneration();
    return stop.call(this);
  });
  await service.host.shutdown.run();
  expect(ended).toEqual(['reply', 'consumers']);
});
