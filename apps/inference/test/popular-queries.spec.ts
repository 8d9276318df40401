import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';

describe('the popular queries of a bot', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const bots = new BotsService();
  const path = `/admin/bots/${botId}/popular-queries`;
  const popular = async (query = '') =>
    (
      await request(service.server)
        .get(path + query)
        .set(service.as('root', 'Admin'))
    ).body;
  const ask = async (body: string, bot_id?: string, userId = 'ann'): Promise<string> => {
    const message = { content: [{ content_type: 'text', body }] };
    const sent = await request(service.server).post('/conversation').set(service.as(userId)).send({ bot_id, message });
    const { conversation_id, message_id } = sent.body;
    const reply = `/conversation/${conversation_id}/${message_id}`;
    await waitFor(async () => (await request(service.server).get(reply).set(service.as(userId))).status === 200, { what: 'the reply' });
    return conversation_id;
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
    bots.groups.set('ben', ['team']);
    bots.group = 'team';
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  let deleted: string;
  it('are counted over conversations and users, without conversations that have no bot', async () => {
    await ask('How long does a refund take?', botId);
    await ask('how long does a REFUND take', botId);
    await ask('How long do refunds take in the shop of the station?', botId);
    deleted = await ask('Dogs?', botId);
    await ask('Dogs?');
    await ask(`A document. ${'x'.repeat(10_000)}`, botId);
    expect(await popular()).toEqual([
      { query: 'How long does a refund take?', count: 2 },
      { query: 'Dogs?', count: 1 },
      { query: 'How long do refunds take in the shop of the station?', count: 1 },
    ]);
    expect(await popular('?limit=1')).toHaveLength(1);
  });
  it('are limited to the requested days', async () => {
    service.later(3 * 86_400_000);
    expect(await popular('?days=2')).toEqual([]);
    expect(await popular('?days=4')).toHaveLength(3);
  });
  it('leave out deleted questions and those of erased users', async () => {
    await request(service.server).delete(`/conversation/${deleted}`).set(service.as('ann'));
    expect(await popular()).toHaveLength(2);
    await keys.erase('ann');
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ann' });
    expect(await popular()).toEqual([]);
  });
  it('are empty for a bot without questions, and not found for an unknown bot', async () => {
    const another = '01K0000000000000000000000C';
    const requested = () => request(service.server).get(`/admin/bots/${another}/popular-queries`).set(service.as('root', 'Admin'));
    expect((await requested()).body).toEqual([]);
    bots.unknown.add(another);
    expect((await requested()).body).toMatchObject({ status: 404, code: 'bot_not_found' });
  });
  it.each(['?limit=101', '?days=0'])('are refused for %s', async (query) => expect((await popular(query)).status).toBe(400));
  it('are only for administrators', async () => {
    expect((await request(service.server).get(path).set(service.as('ann', 'PublishAllowed'))).status).toBe(403);
  });
});
