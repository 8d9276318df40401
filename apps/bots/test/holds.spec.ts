import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

describe('a bot on hold', () => {
  let bots: BotsUnderTest;
  const ann = newId();
  const tell = (step: 'place' | 'end', bot_id: string, hold_id: string) =>
    bots.ask('POST', `/internal/holds/${step}`, bots.service.asService('identity'), { hold_id, bot_id });
  const drop = (id: string, ...groups: string[]) => bots.ask('DELETE', `/bot/${id}`, bots.service.as(ann, ...groups));

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.stop());

  it('is not deleted until the hold ends, and can be changed meanwhile', async () => {
    const { id } = await bots.create(ann);
    const holdId = newId();
    const placed = await tell('place', id, holdId);
    expect([placed.status, placed.body]).toEqual([200, { owner_user_id: ann }]);
    const [own, admins] = [await drop(id), await drop(id, 'Admin')];
    expect([own.status, own.body.code, own.body.detail.includes(holdId)]).toEqual([409, 'on_hold', false]);
    expect([admins.status, admins.body.detail.includes(holdId)]).toEqual([409, true]);
    const found = await bots.get(`/bot/${id}`, bots.service.as(ann));
    const ifMatch = { ...bots.service.as(ann), 'if-match': String(found.headers['etag']) };
    expect((await bots.ask('PATCH', `/bot/${id}`, ifMatch, { title: 'Other' })).status).toBe(200);
    expect((await tell('end', id, holdId)).body).toEqual({ owner_user_id: ann });
    expect((await drop(id)).status).toBe(204);
    // Ending a hold on a deleted bot still returns the bot's owner, because the hold is removed from the owner, too.
    expect((await tell('end', id, holdId)).body).toEqual({ owner_user_id: ann });
  });

  it('must exist when the hold is placed, but not when it ends', async () => {
    expect((await tell('place', newId(), newId())).body.code).toBe('bot_not_found');
    expect((await tell('end', newId(), newId())).body).toEqual({ owner_user_id: null });
  });
});
