import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Place, ToolWorld } from '../tool-world.ts';

const world = new ToolWorld();
const share = async ({ conversation_id }: Place) => {
  const { status, body } = await world.post(`/conversation/${conversation_id}/shares`, { audience: 'signed_in' });
  return [status, body.code];
};

beforeAll(async () => {
  await world.open();
  world.naming('writes');
});
afterAll(async () => {
  await world.service.stop();
  jest.restoreAllMocks();
});

it('a conversation can be shared only when no reply is being written or waiting for its user', async () => {
  const refused = [409, 'reply_in_progress'];
  const place = await world.ask('Send it?');
  const first = await world.model.call('Send it?');
  expect(await share(place)).toEqual(refused);

  first.use('writing', { to: 'ben' }).await();
  const [pending] = await world.awaiting(place);
  expect(await share(place)).toEqual(refused);

  await world.decide(place, pending!.call_id, false);
  (await world.model.call('Send it?', 1)).say('Not sent.').end();
  await world.finished(place);
  expect(await share(place)).toEqual([201, undefined]);
});
