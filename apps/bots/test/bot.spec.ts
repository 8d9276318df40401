import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { freePort, waitFor } from '@parlance/testing';
import request from 'supertest';
import { bots } from '../src/service.ts';

describe('bots over HTTP', () => {
  let service: ServiceUnderTest;
  const ann = () => service.as('ann', 'CreatingBotAllowed');
  const ben = () => service.as('ben', 'CreatingBotAllowed');
  const create = (who: Record<string, string>, body: object) => request(service.server).post('/bot').set(who).send(body);

  beforeAll(async () => {
    service = await serviceUnderTest(bots);
  });
  afterAll(() => service.stop());

  it('creates a bot, which its owner can read at once', async () => {
    const { status, body } = await create(ann(), { title: 'Guide', description: 'Knows the way', instruction: 'Be brief.' });
    expect(status).toBe(201);
    expect((await request(service.server).get(`/bot/${body.id}`).set(ann())).body).toEqual(body);
  });
  it('takes the id that a client brings, twice if need be', async () => {
    const body = { id: '01K0000000000000000000000A', title: 'Mine' };
    expect((await create(ann(), body)).status).toBe(201);
    expect((await create(ann(), body)).status).toBe(201);
    expect((await create(ben(), body)).body).toMatchObject({ status: 409, code: 'bot_id_taken' });
  });
  it('answers a repeat that overtakes the first with the bot, too', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `01K00000000000000000000${String(n).padStart(3, '0')}`);
    const answers = await Promise.all(ids.flatMap((id) => [create(ann(), { id, title: 'Twice' }), create(ann(), { id, title: 'Twice' })]));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  });
  it('hides a bot from all users but its owner, also when they try to delete it', async () => {
    const { body } = await create(ann(), { title: 'Secret' });
    expect((await request(service.server).get(`/bot/${body.id}`).set(ben())).body.code).toBe('bot_not_found');
    expect((await request(service.server).delete(`/bot/${body.id}`).set(ben())).body.code).toBe('bot_not_found');
    expect((await request(service.server).get(`/bot/${body.id}`).set(ann())).status).toBe(200);
  });
  it('deletes a bot only as the client has seen it, where it says which state that is', async () => {
    const { body } = await create(ann(), { title: 'Seen' });
    const remove = (etag: string) => request(service.server).delete(`/bot/${body.id}`).set(ann()).set('if-match', etag);
    expect((await remove('"9"')).status).toBe(412);
    expect((await remove(`"${body.version}"`)).status).toBe(204);
  });
  it('needs the right to create bots, which an Admin has', async () => {
    expect((await create(service.as('cat'), { title: 'x' })).body).toMatchObject({ status: 403, code: 'group_required' });
    expect((await create(service.as('dan', 'Admin'), { title: 'x' })).status).toBe(201);
  });
  it('keeps on record who was refused, before it answers', async () => {
    const kept: unknown[] = [];
    const listening = await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.bots'],
      handle: async (deliveries) => {
        for (const { event } of deliveries) if (event.type.endsWith('action-refused.v1')) kept.push([event.actor, event.data]);
      },
    });
    await create(service.as('eve'), { title: 'x' });
    const asEve = [
      'eve',
      {
        action: 'create_bot',
        resource_type: 'bot',
        resource_id: null,
        code: 'group_required',
        message: 'This needs the group CreatingBotAllowed.',
      },
    ];
    await waitFor(() => kept.some((each) => isDeepStrictEqual(each, asEve)), { what: 'the refusal' });
    await listening.stop();
  });
  it('refuses requests without a statement of the edge', async () => {
    expect((await request(service.server).post('/bot').send({ title: 'x' })).status).toBe(401);
  });
  it.each([
    ['no title', {}, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a title of 101 characters', { title: 'x'.repeat(101) }, 'title'],
    ['a title that is no text', { title: 7 }, 'title'],
    ['a description of 1,001 characters', { title: 'x', description: 'x'.repeat(1_001) }, 'description'],
    ['a malformed id', { title: 'x', id: 'guide' }, 'id'],
    ['an operator', { title: { $ne: '' } }, 'title'],
    ['an unknown field', { title: 'x', owner_user_id: 'ben' }, 'owner_user_id'],
  ])('refuses %s, naming the field', async (_, body, field) => {
    const answer = await create(ann(), body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(field);
  });
});

describe('commands and queries of bots', () => {
  it('are measured by name and outcome', async () => {
    const measured = await serviceUnderTest(bots, { PARLANCE_METRICS_PORT: String(await freePort()) });
    await request(measured.server).post('/bot').set(measured.as('ann', 'CreatingBotAllowed')).send({ title: 'Guide' });
    await request(measured.server).delete('/bot/01K0000000000000000000000Z').set(measured.as('ann'));
    const text = await (await fetch(`http://127.0.0.1:${measured.host.metrics.port}/metrics`)).text();
    await measured.stop();
    for (const labels of [
      'kind="command",name="ExecuteBot",outcome="done"',
      'kind="command",name="ExecuteBot",outcome="refused"',
      'kind="query",name="BotSeenBy",outcome="done"',
    ])
      expect(text).toContain(`parlance_handling_duration_seconds_count{service="bots",${labels}} 1`);
  });
});
