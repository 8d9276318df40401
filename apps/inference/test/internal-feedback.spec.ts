import { afterAll, expect, it } from '@jest/globals';
import { KeysOfUsers, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';

const rated = async (replies: string[]) =>
  (await request(service.server).post('/internal/feedback/comments').set(service.asService('analytics')).send({ replies })).body;

const service = await serviceUnderTest(inference);
await new KeysOfUsers().enter(service.host);
afterAll(() => service.stop());

it('comments on replies and their users are available to services until the conversation is deleted', async () => {
  const message = { content: [{ content_type: 'text', body: 'Why?' }] };
  const { conversation_id, message_id } = (await request(service.server).post('/conversation').set(service.as('ann')).send({ message }))
    .body;
  const path = `/conversation/${conversation_id}`;
  await waitFor(async () => (await request(service.server).get(`${path}/${message_id}`).set(service.as('ann'))).status === 200, {
    what: 'a reply',
  });
  const rating = { thumbs_up: false, category: 'wrong', comment: 'No.' };
  await request(service.server).put(`${path}/${message_id}/feedback`).set(service.as('ann')).send(rating);
  const reply = `${conversation_id}/${message_id}`;
  expect(await rated([reply, 'c/r'])).toEqual({ comments: { [reply]: 'No.' }, users: { [reply]: 'ann' } });
  await request(service.server).delete(path).set(service.as('ann'));
  expect(await rated([reply])).toEqual({ comments: {}, users: {} });
});
it('comments are only for services', async () => {
  const sending = request(service.server).post('/internal/feedback/comments').set(service.as('root', 'Admin')).send({ replies: [] });
  expect((await sending).status).toBe(404);
});
