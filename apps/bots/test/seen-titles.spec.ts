import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';

const bots = await BotsUnderTest.start();
afterAll(() => bots.stop());

const [ann, ben, cat] = [newId(), newId(), newId()];
const bot = await bots.create(ann, { title: 'Guide' });
const prompt = (await bots.ask('POST', '/prompts', bots.service.as(ann), { title: 'Mail', command: 'mail', text: 'Hello.' })).body;
const seenBy = async (userId: string, ...groups: string[]) => {
  const body = { bot_ids: [bot.id, newId()], prompt_ids: [prompt.id, newId()] };
  const { status, body: titles } = await bots.ask('POST', '/internal/seen-titles', bots.onBehalfOf(userId, ...groups), body);
  expect(status).toBe(200);
  return titles;
};
const NONE = { bots: {}, prompts: {} };
const BOTH = { bots: { [bot.id]: 'Guide' }, prompts: { [prompt.id]: 'Mail' } };

describe('the titles of bots and prompts that a service asks for on behalf of a user', () => {
  it('are those that the user may see', async () => {
    expect([await seenBy(ann), await seenBy(ben)]).toEqual([BOTH, NONE]);
    const lists = { target_allowed_user_ids: [ben], target_allowed_group_ids: ['team'] };
    await bots.share(ann, bot.id, 'partial', lists);
    await bots.ask('PATCH', `/prompts/${prompt.id}/visibility`, bots.service.as(ann), { target_shared_scope: 'partial', ...lists });
    expect([await seenBy(ben), await seenBy(cat, 'team'), await seenBy(cat)]).toEqual([BOTH, BOTH, NONE]);
  });
  it('are no longer returned when the bot and the prompt are not shared any more, or deleted', async () => {
    await bots.share(ann, bot.id, 'private');
    expect(await seenBy(ben)).toEqual({ bots: {}, prompts: { [prompt.id]: 'Mail' } });
    await bots.ask('DELETE', `/prompts/${prompt.id}`, bots.service.as(ann));
    await bots.ask('DELETE', `/bot/${bot.id}`, bots.service.as(ann));
    expect([await seenBy(ben), await seenBy(ann)]).toEqual([NONE, NONE]);
  });
  it('are not for clients', async () => {
    const answer = await bots.ask('POST', '/internal/seen-titles', bots.service.as(ann), { bot_ids: [], prompt_ids: [] });
    expect([answer.status, answer.body.code]).toEqual([404, 'no_such_route']);
  });
});
