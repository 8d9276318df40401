import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { type Behaviour, UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

describe('the models of an installation', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  const bots = new BotsService();

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const models = {
      extends: 'builtin',
      providers: { ours: { type: 'openai_compatible', base_url: provider.url } },
      models: [
        { id: 'ours-large', provider: 'ours', model: 'large', capabilities: ['vision'], context_window: 32_000, max_output_tokens: 4_000 },
        { id: 'ours-voice', provider: 'ours', model: 'voice', capabilities: ['speech'] },
      ],
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await bots.enter(service);
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  const post = (model?: string, bot_id?: string) =>
    request(service.server)
      .post('/conversation')
      .set(service.as('ann'))
      .send({ bot_id, message: { content: [{ content_type: 'text', body: 'Why?' }], model } });

  it('are listed for signed-in users, including unavailable ones, with what clients need to know', async () => {
    const { status, body } = await request(service.server).get('/config/global').set(service.as('ann'));
    expect([status, body.default_model]).toEqual([200, 'ours-large']);
    const [first, ...others] = body.global_available_models;
    expect(first).toEqual({
      id: 'ours-large',
      name: 'ours-large',
      available: true,
      capabilities: ['vision'],
      context_window: 32_000,
      max_output_tokens: 4_000,
    });
    expect(others).toContainEqual(expect.objectContaining({ id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', available: false }));
    expect(body).toMatchObject({ allow_public_links: false, temporary_chat_hours: 24, user_memory: true });
    expect([body.speech, body.transcription_model]).toEqual([{ model: 'ours-voice', voice: 'alloy' }, null]);
    expect(JSON.stringify(body)).not.toContain(provider.url);
  });
  it('answer messages', async () => {
    provider.behave = () => ({ does: 'answer', text: ['Be', 'cause.'], usage: { input: 10, output: 2 } });
    const { conversation_id, message_id } = (await post()).body;
    const read = () => request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as('ann'));
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    expect((await read()).body.message).toMatchObject({ model: 'ours-large', content: [{ body: 'Because.' }] });
  });
  it('are called again when they fail', async () => {
    const calls = provider.ledger.calls;
    const behaviours: Behaviour[] = [{ does: 'refuse', status: 529 }];
    provider.behave = () => behaviours.shift() ?? { does: 'answer', text: ['At last.'], usage: { input: 10, output: 2 } };
    const { conversation_id, message_id } = (await post()).body;
    const read = () => request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as('ann'));
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    expect((await read()).body.message).toMatchObject({ content: [{ body: 'At last.' }] });
    expect(provider.ledger.calls).toBe(calls + 2);
  });
  it('report the reason for a missing answer to the user', async () => {
    provider.behave = () => ({ does: 'refuse', status: 401 });
    const { conversation_id, message_id } = (await post()).body;
    const read = () => request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as('ann'));
    await waitFor(async () => (await read()).status === 200, { what: 'the end of the reply' });
    const { status, error } = (await read()).body;
    expect([status, error.code]).toEqual(['failed', 'provider_misconfigured']);
    expect(JSON.stringify(error)).not.toMatch(/secret|127\.0\.0\.1/);
  });
  it('are called until their user stops the reply', async () => {
    provider.behave = () => ({ does: 'hang', after: 2 });
    const arrived = provider.nextCall();
    const { conversation_id, message_id } = (await post()).body;
    const call = await arrived;
    const cancelled = await request(service.server).post(`/conversation/${conversation_id}/${message_id}/cancel`).set(service.as('ann'));
    expect(cancelled.status).toBe(202);
    await call.closed;
    expect(call.isFinished).toBe(false);
  });
  it.each(['claude-sonnet-5-5', 'unknown'])('are refused when they are not available (%s)', async (model) => {
    const { status, body } = await post(model);
    expect([status, body.code, body.errors[0].path, body.detail]).toEqual([
      400,
      'model_not_available',
      'message.model',
      `The model ${model} is not available; available: ours-large, local-extractive.`,
    ]);
  });
  it('are refused when the bot does not allow them', async () => {
    bots.models = { active_models: ['local-extractive'], default_model: null };
    expect((await post('ours-large', newId())).body.code).toBe('model_not_available');
    const calls = provider.ledger.calls;
    expect((await post(undefined, newId())).status).toBe(202);
    expect(provider.ledger.calls).toBe(calls);
  });
  it('are refused for another reply when the bot no longer allows them', async () => {
    bots.models = { active_models: ['ours-large'] };
    provider.behave = () => ({ does: 'answer', text: ['Once.'], usage: { input: 10, output: 2 } });
    const bot_id = newId();
    const { conversation_id, message_id } = (await post(undefined, bot_id)).body;
    const read = () => request(service.server).get(`/conversation/${conversation_id}/${message_id}`).set(service.as('ann'));
    await waitFor(async () => (await read()).status === 200, { what: 'the reply' });
    const again = { conversation_id, bot_id, message: { content: [], parent_message_id: (await read()).body.message.parent } };
    bots.models = { active_models: ['local-extractive'] };
    const refused = await request(service.server).post('/conversation').set(service.as('ann')).send(again);
    expect([refused.status, refused.body.code]).toEqual([400, 'model_not_available']);
    expect(
      (
        await request(service.server)
          .post('/conversation')
          .set(service.as('ann'))
          .send({ ...again, message: { ...again.message, model: 'local-extractive' } })
      ).status,
    ).toBe(202);
  });
  it('have their breakers in health', async () => {
    const { body } = await request(service.server).get('/health/ready');
    expect(JSON.stringify(body)).toContain('models ours');
  });
});
