import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';

describe('the popular queries of all users', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const bots = new BotsService();
  const popular = async (query = '') =>
    (await request(service.server).get(`/admin/popular-queries?${query}`).set(service.as('root', 'Admin'))).body;
  const ask = async (body: string, more: object = {}, userId = 'ann'): Promise<string> => {
    const message = { content: [{ content_type: 'text', body }] };
    const sent = await request(service.server)
      .post('/conversation')
      .set(service.as(userId))
      .send({ ...more, message });
    const { conversation_id, message_id } = sent.body;
    const reply = `/conversation/${conversation_id}/${message_id}`;
    await waitFor(async () => (await request(service.server).get(reply).set(service.as(userId))).status === 200, { what: 'the reply' });
    return conversation_id;
  };

  let deleted: string;
  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
    await bots.enter(service);
    await ask('How long does a refund take?', { bot_id: botId });
    const conversation_id = await ask('how long does a REFUND take');
    await ask('Cats?', { conversation_id });
    await ask('Cats!', {}, 'ben');
    deleted = await ask('Dogs?', {}, 'ben');
    await ask('Nobody counts this.', { temporary: true });
    await ask(`A document. ${'x'.repeat(10_000)}`);
  });
  afterAll(() => service.stop());

  it('are counted with all bots and without one, without temporary chats and long messages', async () => {
    expect(await popular()).toEqual([
      { query: 'Cats!', count: 2 },
      { query: 'How long does a refund take?', count: 2 },
      { query: 'Dogs?', count: 1 },
    ]);
    expect(await popular('limit=1')).toHaveLength(1);
  });
  it('are counted without bots on request', async () => {
    expect(await popular('without_bot=true')).toEqual([
      { query: 'Cats!', count: 2 },
      { query: 'Dogs?', count: 1 },
      { query: 'how long does a REFUND take', count: 1 },
    ]);
  });
  it('are recorded in the log before they are answered', async () => {
    const log = (await service.host.published.of('inference'))!;
    const { head } = await log.after(0);
    await popular();
    expect((await log.after(head)).events).toMatchObject([
      { type: 'parlance.inference.data-viewed.v1', actor: 'root', data: { action: 'view_all_queries', resource_type: 'users' } },
    ]);
  });
  it('leave out deleted questions and those of erased users', async () => {
    await request(service.server).delete(`/conversation/${deleted}`).set(service.as('ben'));
    expect(await popular()).toHaveLength(2);
    await keys.erase('ann');
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ann' });
    expect(await popular()).toEqual([{ query: 'Cats!', count: 1 }]);
  });
  it('are limited to the requested days', async () => {
    service.later(3 * 86_400_000);
    expect(await popular('days=2')).toEqual([]);
    expect(await popular('days=4')).toHaveLength(1);
  });
  it.each(['limit=101', 'days=0', 'without_bot=maybe'])('are refused for %s', async (query) =>
    expect((await popular(query)).status).toBe(400),
  );
  it('are only for administrators', async () => {
    expect((await request(service.server).get('/admin/popular-queries').set(service.as('ann', 'PublishAllowed'))).status).toBe(403);
  });
});
