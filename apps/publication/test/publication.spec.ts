import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { publication } from '../src/service.ts';

const botId = '01K0000000000000000000000A';

describe('publication over HTTP', () => {
  let service: ServiceUnderTest;
  const codeFor = async (userId: string) =>
    (await request(service.server).get(`/bot/${botId}/publication`).set(service.as(userId))).body.code;

  beforeAll(async () => {
    service = await serviceUnderTest(publication);
  });
  afterAll(() => service.stop());

  it('knows no bot before its event arrives', async () => expect(await codeFor('ann')).toBe('bot_not_found'));
  it('tells the owner of a bot that it is not published', async () => {
    await service.hear('parlance.bots.bot-created.v1', `bot-${botId}`, { bot_id: botId, owner_user_id: 'ann', title: 'Guide' });
    await waitFor(async () => (await codeFor('ann')) === 'not_published', { what: 'the bot to be known' });
  });
  it('hides it from other users', async () => expect(await codeFor('ben')).toBe('bot_not_found'));
  it('forgets a bot that is deleted', async () => {
    await service.hear('parlance.bots.bot-deleted.v1', `bot-${botId}`, { bot_id: botId, owner_user_id: 'ann' });
    await waitFor(async () => (await codeFor('ann')) === 'bot_not_found', { what: 'the bot to be forgotten' });
  });
  it('keeps nothing of a user that could be erased', async () => {
    const answer = await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: 'ann' });
    expect([answer.status, answer.body]).toEqual([200, { service: 'publication', removed: {} }]);
  });
});
