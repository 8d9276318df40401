import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { derivedId } from '@parlance/http';
import { firstApi } from './published-world.ts';
import { ToolWorld } from '../tool-world.ts';

describe('a prediction', () => {
  const world = new ToolWorld();
  const { model } = world;
  const predict = async (message: string, more: object) => {
    const answer = await fetch(`${world.address}/published/${firstApi.apiId}/api/predict`, {
      method: 'POST',
      headers: { ...world.service.asApi('ann', firstApi), 'content-type': 'application/json' },
      body: JSON.stringify({ message, ...more }),
    });
    return ((await answer.json()) as { request_id: string }).request_id;
  };

  beforeAll(async () => {
    await world.open();
    const unset = { top_k: null, top_p: null, stop_sequences: ['###'], reasoning_budget_tokens: null };
    world.bots.settings = { generation_params: { max_tokens: 200, temperature: 1, ...unset } };
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('may replace the parameters of the bot, but not exceed its limit on the length', async () => {
    await predict('Short?', { temperature: 0.25, max_tokens: 50 });
    const short = await model.call('Short?');
    expect(short.prompt.parameters).toMatchObject({ temperature: 0.25, maxTokens: 50, stopSequences: ['###'] });
    await predict('Long?', { max_tokens: 5_000 });
    const long = await model.call('Long?');
    expect(long.prompt.parameters).toMatchObject({ temperature: 1, maxTokens: 200 });
    for (const call of [short, long]) call.say('Yes.').end();
  });

  it('fails when the model returns no answer', async () => {
    const request_id = await predict('Why fail?', {});
    (await model.call('Why fail?')).fail(new Error('ECONNREFUSED 10.0.0.1'));
    const read = () =>
      fetch(`${world.address}/published/${firstApi.apiId}/api/result/${request_id}`, { headers: world.service.asApi('ann', firstApi) });
    await waitFor(async () => (await read()).status === 200, { what: 'the end of the reply' });
    expect(await (await read()).json()).toMatchObject({ request_id, status: 'failed', error: 'The model returned no answer.' });
  });

  it('has the same parameters when another worker takes the reply over', async () => {
    const request_id = await predict('Again?', { temperature: 0, max_tokens: 10 });
    const first = await model.call('Again?');
    await world.kill({ conversation_id: derivedId(request_id, 'conversation'), message_id: request_id });
    await waitFor(async () => (await model.call('Again?')) !== first, { what: 'the other worker' });
    const call = await model.call('Again?');
    expect(call.prompt.parameters).toMatchObject({ temperature: 0, maxTokens: 10 });
    call.say('Yes.').end();
  });
});
