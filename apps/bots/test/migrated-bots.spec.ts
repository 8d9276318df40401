import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

const [ann, ben] = [newId(), newId()];
const created_at = Date.parse('2025-03-04T12:00:00Z');

describe('a bot of another product', () => {
  let bots: BotsUnderTest;
  const take = (userId: string, body: object) => bots.ask('POST', '/internal/imports/bots', bots.onBehalfOf(userId), body);
  const read = async (id: string) => (await bots.get(`/bot/${id}`, bots.service.as(ann))).body;
  const id = newId();
  const body = { id, created_at, bot: { title: 'Guide' } };

  beforeAll(async () => {
    bots = await BotsUnderTest.start();
  });
  afterAll(() => bots.service.stop());

  it('keeps its original creation time', async () => {
    expect((await take(ann, body)).status).toBe(204);
    expect(await read(id)).toMatchObject({ id, title: 'Guide', owner_user_id: ann, create_time: created_at / 1_000 });
  });
  it('is not changed when it is imported again', async () => {
    const before = await read(id);
    expect((await take(ann, { ...body, bot: { title: 'Other' } })).status).toBe(204);
    expect(await read(id)).toEqual(before);
  });
  it('gets the current time if it has no time of its own', async () => {
    const other = { id: newId(), bot: { title: 'Guide' } };
    await take(ann, other);
    expect((await read(other.id)).create_time).toBeGreaterThan(created_at / 1_000);
  });
  it.each([
    ['an ID of another user', () => take(ben, body), 'bot_id_taken'],
    ['a body that POST /bot refuses', () => take(ann, { ...body, id: newId(), bot: { title: '' } }), 'invalid_body'],
  ])('is refused with %s', async (_, send, code) => expect((await send()).body).toMatchObject({ code }));
});
