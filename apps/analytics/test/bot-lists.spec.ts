import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { fastify } from 'fastify';
import request from 'supertest';
import { analytics } from '../src/service.ts';

const [atlas, guide, poet, secret, picture] = [newId(), newId(), newId(), newId(), newId()];
const HOUR = 3_600_000;
const compact = (time: number) => new Date(time).toISOString().replaceAll(/[-T:]/g, '').slice(0, 10);
const around = `start=${compact(Date.now() - HOUR)}&end=${compact(Date.now() + HOUR)}`;

describe('lists of bots for administrators', () => {
  let service: ServiceUnderTest;
  let events = 0;
  const shared = new Set([atlas, guide, poet]);
  const ask = async (path: string, accept = 'application/json') =>
    request(service.server).get(`/admin/${path}`).set(service.as('root', 'Admin')).set('accept', accept);
  const ids = async (path: string) => (await ask(path)).body.bots.map(({ id }: { id: string }) => id);
  const charge = (bot_id: string, cost_nano_dollars: number) => {
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false };
    const data = { conversation_id: 'c', reply_id: 'r', user_id: 'ann', bot_id, model: 'large', usage, cost_nano_dollars };
    return service.hear('parlance.inference.reply-completed.v1', 'conversation-c', data, `e${++events}`);
  };
  const publish = (bot_id: string, api_id: string) =>
    service.hear('parlance.publication.publication-succeeded.v1', `publication-${bot_id}`, {
      bot_id,
      deployment_id: 'd',
      owner_user_id: 'ann',
      stage: 'api',
      api_id,
    });
  const used = (api_id: string, request_count: number) =>
    service.hear('parlance.publication.api-usage-recorded.v1', 'keyuse-k', {
      bot_id: guide,
      api_key_id: 'k',
      api_id,
      hour: 0,
      request_count,
    });

  beforeAll(async () => {
    service = await serviceUnderTest(analytics);
    const bots = fastify();
    bots.post<{ Body: { after?: string } }>('/internal/bots/shared', async ({ body: { after } }) =>
      after === undefined ? { bot_ids: [poet, guide], next: guide } : { bot_ids: [...shared].filter((id) => id === atlas), next: null },
    );
    bots.post<{ Body: { bot_ids: string[] } }>('/internal/bots/shown', async ({ body: { bot_ids } }) => ({
      bots: bot_ids
        .filter((id) => shared.has(id))
        .map((id) => ({
          id,
          title: id === guide ? '=Guide' : 'T',
          // The bots service of an earlier release does not return them.
          ...(id === guide && { icon: 'leaf', colour: 'green', picture }),
          description: '',
          shared_scope: 'all',
          status: 'shared',
          owner_user_id: 'ann',
        })),
    }));
    await service.host.local.enter('bots', bots);
  });
  afterAll(() => service.stop());

  it('are empty at first', async () => {
    expect((await ask('public-bots')).body).toEqual({ as_of: null, bots: [], next_token: null });
    expect((await ask('published-bots')).body).toEqual({ as_of: null, bots: [], next_token: null });
  });
  it('have the cost of the bots that are not private, highest cost first', async () => {
    await charge(atlas, 5);
    await charge(guide, 7);
    await charge(secret, 100);
    await publish(guide, 'api1');
    await waitFor(async () => (await ids('public-bots')).length === 2 && (await ids('published-bots')).length === 1, { what: 'the bots' });
    const { body } = await ask('public-bots');
    expect(body.bots[0]).toEqual({
      id: guide,
      title: '=Guide',
      description: '',
      icon: 'leaf',
      colour: 'green',
      picture,
      shared_scope: 'all',
      status: 'shared',
      owner_user_id: 'ann',
      is_published: true,
      published_datetime: expect.any(Number),
      total_price: 7e-9,
      as_corrected: 7e-9,
    });
    expect(body.bots[1]).toMatchObject({
      id: atlas,
      icon: null,
      colour: null,
      picture: null,
      is_published: false,
      published_datetime: null,
      total_price: 5e-9,
    });
    expect((await ask(`public-bots?${around}`)).body).toEqual(body);
    expect(await ids('public-bots?start=2026110100&end=2026110100')).toEqual([]);
    expect(await ids('public-bots?include_all=true')).toEqual([guide, atlas, poet]);
  });
  it('have pages that neither skip nor repeat a bot, while costs change', async () => {
    const first = (await ask('public-bots?limit=1')).body;
    await charge(atlas, 1_000);
    await waitFor(async () => (await ids('public-bots'))[0] === atlas, { what: 'the charge' });
    const second = (await ask(`public-bots?limit=1&next_token=${first.next_token}`)).body;
    expect([first.bots[0].id, second.bots[0].id, second.next_token]).toEqual([guide, atlas, null]);
  });
  it('leave out a bot that has become private', async () => {
    shared.delete(atlas);
    expect(await ids('public-bots')).toEqual([guide]);
    shared.add(atlas);
  });
  it('have the published bots with their endpoints and requests, newest first', async () => {
    const { as_of } = (await ask('published-bots')).body;
    await used('api2', 3);
    await used('api1', 2);
    await used('api1', 4);
    await publish(atlas, 'api2');
    await waitFor(async () => (await ids('published-bots')).length === 2, { what: 'the publication' });
    await waitFor(async () => (await ask('published-bots')).body.bots[1].request_count === 6, { what: 'the requests' });
    const { body } = await ask('published-bots?limit=1');
    expect(body).toMatchObject({
      bots: [
        { id: atlas, published_stack_name: 'parlance-api2', endpoint: expect.stringMatching(/\/published\/api2\/api$/), request_count: 3 },
      ],
    });
    expect(body.as_of.position).toBeGreaterThan(as_of.position);
    expect((await ask(`published-bots?limit=1&next_token=${body.next_token}`)).body.bots).toMatchObject([{ id: guide, request_count: 6 }]);
  });
  it('lose a bot when its publication is removed', async () => {
    const removal = { bot_id: atlas, deployment_id: 'd', owner_user_id: 'ann', because: 'requested', api_key_ids: [] };
    await service.hear('parlance.publication.publication-removed.v1', `publication-${atlas}`, removal);
    await waitFor(async () => (await ids('published-bots')).length === 1, { what: 'the removal' });
    expect((await ask('public-bots')).body.bots).toMatchObject([
      { id: atlas, is_published: false },
      { id: guide, is_published: true },
    ]);
  });
  it('are available as CSV', async () => {
    const lines = async (path: string) => (await ask(path, 'text/csv')).text.split('\r\n');
    expect(await lines('public-bots')).toEqual([
      'id,title,description,owner_user_id,shared_scope,status,is_published,published_datetime,total_price,as_corrected',
      `${atlas},T,,ann,all,shared,false,,0.000001005,0.000001005`,
      expect.stringMatching(new RegExp(`^${guide},'=Guide,,ann,all,shared,true,\\d+,0.000000007,0.000000007$`)),
      '',
    ]);
    expect((await lines('published-bots'))[1]).toMatch(new RegExp(`^${guide},'=Guide,.*,6$`));
  });
  it('are for administrators only', async () => {
    for (const path of ['public-bots', 'published-bots'])
      expect((await request(service.server).get(`/admin/${path}`).set(service.as('ann', 'PublishAllowed'))).status).toBe(403);
  });

  it('list the bots by their ratings or by how often they are asked, without private ones', async () => {
    const hear = (type: string, bot_id: string, more: object) =>
      service.hear(
        `parlance.inference.${type}.v1`,
        'conversation-q',
        { conversation_id: 'q', user_id: 'ann', bot_id, ...more },
        `q${++events}`,
      );
    const question = async (bot_id: string, times: number) => {
      for (let n = 0; n < times; n++) await hear('message-submitted', bot_id, { reply_id: 'r', message_id: 'm', model: 'large' });
    };
    const rate = (bot_id: string, reply_id: string, thumbs_up: boolean) =>
      hear('feedback-given', bot_id, { reply_id, thumbs_up, category: null, has_comment: false });
    await question(atlas, 1);
    await question(guide, 3);
    await question(secret, 9);
    await rate(guide, 'g1', true);
    await rate(atlas, 'a1', false);
    await rate(atlas, 'a2', true);
    await rate(secret, 's1', false);
    const quality = async (query = '') => (await ask(`bots/quality?${query}`)).body.bots as Record<string, unknown>[];
    await waitFor(async () => (await quality())[0]?.['id'] === atlas && (await quality()).length === 2, { what: 'the ratings' });
    expect((await quality())[0]).toMatchObject({ title: 'T', query_count: 1, thumbs_up: 1, thumbs_down: 1, satisfaction: 0.5 });
    expect((await quality('order=queries')).map(({ id, query_count }) => [id, query_count])).toEqual([
      [guide, 3],
      [atlas, 1],
    ]);
    expect((await quality('limit=1')).map(({ id }) => id)).toEqual([atlas]);
    expect([(await ask('bots/quality?days=0')).status, (await ask('bots/quality?order=cost')).status]).toEqual([400, 400]);
  });
});
