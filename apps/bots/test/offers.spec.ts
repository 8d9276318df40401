import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BotsUnderTest } from './bots-under-test.ts';
import { offering } from './offering.ts';

const bots = await BotsUnderTest.start();
const { local } = bots.service.host;
afterAll(() => bots.stop());

const offer = (models: readonly string[], tools: readonly string[], tool_servers: readonly string[] = []) =>
  local.enter('inference', offering({ models, tools, tool_servers }));
const tools = (...names: readonly string[]) => names.map((name) => ({ name, approval: 'writes' }));
const create = (body: object) => bots.ask('POST', '/bot', bots.creator('ann'), { title: 'Guide', ...body });
const changing = async (present: object = {}) => {
  const { id } = await bots.create('ann', present);
  return (body: object) => bots.ask('PATCH', `/bot/${id}`, bots.creator('ann'), body);
};

describe('the models and tools that a bot may name', () => {
  beforeEach(() => offer(['small', 'large'], ['calculator'], ['docs']));

  it.each([
    [{ active_models: ['small', 'gone', 'away'] }, 'model_not_available', ['active_models', 'active_models'], /no model gone, away\.$/],
    [{ default_model: 'gone' }, 'model_not_available', ['default_model'], /no model gone\.$/],
    [{ tools: tools('calculator', 'search') }, 'tool_not_available', ['tools'], /no tool search\.$/],
    [{ tools: tools('mail__send') }, 'tool_not_available', ['tools'], /no tool mail__send\.$/],
    [{ tools: tools('mail__*') }, 'tool_not_available', ['tools'], /no tool mail__\*\.$/],
  ])('exclude %j, which is not offered', async (body, code, paths, detail) => {
    const change = await changing();
    for (const send of [create, change]) {
      const { status, body: refused } = await send(body);
      expect([status, refused.code, refused.errors.map(({ path }: { path: string }) => path)]).toEqual([400, code, paths]);
      expect(refused.detail).toMatch(detail);
    }
    expect((await change({ title: 'Other' })).body).toMatchObject({ active_models: [], default_model: null, tools: [], version: 2 });
  });
  it('include offered models, tools and tools of servers', async () => {
    const body = { active_models: ['small', 'large'], default_model: 'large', tools: tools('calculator', 'docs__find', 'docs__*') };
    expect((await create(body)).body).toMatchObject(body);
    expect((await (await changing())(body)).body).toMatchObject(body);
  });
  it('include those that the bot already names, even if they are no longer offered', async () => {
    const change = await changing({ active_models: ['small', 'large'], default_model: 'small', tools: tools('calculator') });
    await offer(['large'], []);
    expect((await change({ active_models: ['large', 'small'], default_model: 'small', tools: tools('calculator') })).status).toBe(200);
    expect((await change({ active_models: ['large'], default_model: null, tools: [] })).status).toBe(200);
    expect((await change({ active_models: ['large', 'small'] })).status).toBe(400);
  });
  it('are unknown while inference does not answer, which only affects new names', async () => {
    const change = await changing({ active_models: ['small'] });
    local.leave('inference');
    expect((await create({})).status).toBe(201);
    expect((await change({ description: 'Ships', active_models: ['small'] })).status).toBe(200);
    for (const answer of [await create({ active_models: ['small'] }), await change({ tools: tools('calculator') })])
      expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
  });
});
