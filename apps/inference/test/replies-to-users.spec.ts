import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';
import { BotsService } from './bots-service.ts';

const botId = '01K0000000000000000000000B';
const refunds = { content: 'A refund takes fourteen days.', source_id: 'refunds' };

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('a reply to a user, for administrators', () => {
  let service: ServiceUnderTest;
  const keys = new KeysOfUsers();
  const bots = new BotsService();
  const [ann, ben] = [newId(), newId()];
  const say = async (text: string, more: object = { bot_id: botId }): Promise<Place> => {
    const sent = { ...more, message: { content: [{ content_type: 'text', body: text }] } };
    const { body } = await request(service.server).post('/conversation').set(service.as(ann)).send(sent);
    const path = `/conversation/${body.conversation_id}/${body.message_id}`;
    await waitFor(async () => (await request(service.server).get(path).set(service.as(ann))).status === 200, { what: 'the reply' });
    return body;
  };
  const view = ({ conversation_id, message_id }: Place, userId = ann, groups = ['Admin']) =>
    request(service.server)
      .get(`/admin/users/${userId}/conversations/${conversation_id}/replies/${message_id}`)
      .set(service.as('root', ...groups));
  const notFound = { status: 404, code: 'message_not_found' };

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await keys.enter(service.host);
    bots.owner = ann;
    bots.chunks = [refunds];
    await bots.enter(service);
  });
  afterAll(() => service.stop());

  it('has the question, the passages and the rating', async () => {
    const place = await say('How long does a refund take?');
    const rating = { thumbs_up: false, category: 'wrong', comment: 'It took longer.' };
    const path = `/conversation/${place.conversation_id}/${place.message_id}/feedback`;
    await request(service.server).put(path).set(service.as(ann)).send(rating);
    const { status, body } = await view(place);
    expect([status, body]).toEqual([
      200,
      {
        conversation_id: place.conversation_id,
        bot_id: botId,
        question: {
          message_id: expect.any(String),
          role: 'user',
          content: [{ content_type: 'text', body: 'How long does a refund take?' }],
          model: 'local-extractive',
          status: 'completed',
          create_time: expect.any(Number),
        },
        reply: {
          message_id: place.message_id,
          role: 'assistant',
          content: [{ content_type: 'text', body: expect.stringContaining('fourteen days') }],
          model: 'local-extractive',
          status: 'completed',
          create_time: expect.any(Number),
          stop_reason: 'end_turn',
          used_chunks: [expect.objectContaining({ content: refunds.content, source_name: 'refunds.pdf', page_number: 1 })],
          feedback: rating,
        },
      },
    ]);
  });
  it('has no passages if the bot does not show its sources', async () => {
    bots.showsSources = false;
    const { body } = await view(await say('Is a refund possible?'));
    bots.showsSources = true;
    expect(body.reply).not.toHaveProperty('used_chunks');
  });
  it('is shown for a chat without a bot, and for a temporary one until it is deleted', async () => {
    const place = await say('Hello?', { temporary: true });
    expect((await view(place)).body).toMatchObject({ bot_id: null, question: { content: [{ body: 'Hello?' }] } });
    await request(service.server).delete(`/conversation/${place.conversation_id}`).set(service.as(ann));
    expect((await view(place)).body).toMatchObject(notFound);
  });
  it('is recorded in the log before it is answered', async () => {
    const place = await say('Who reads this?');
    const log = (await service.host.published.of('inference'))!;
    const { head } = await log.after(0);
    await view(place);
    const viewed = { action: 'view_reply', resource_type: 'conversation', resource_id: place.conversation_id };
    expect((await log.after(head)).events).toEqual([
      expect.objectContaining({ type: 'parlance.inference.data-viewed.v1', actor: 'root', data: viewed }),
    ]);
  });
  it('is found only with its user, and only by the ID of a reply', async () => {
    const place = await say('Mine?');
    expect((await view(place, ben)).body).toMatchObject(notFound);
    expect((await view({ ...place, message_id: newId() })).body).toMatchObject(notFound);
    const { question } = (await view(place)).body;
    expect((await view({ ...place, message_id: question.message_id })).body).toMatchObject(notFound);
  });
  it('is only for administrators', async () => {
    expect((await view(await say('Secret?'), ann, ['PublishAllowed'])).status).toBe(403);
  });
  it('is removed with its user', async () => {
    const place = await say('Forget me.');
    await keys.erase(ann);
    await request(service.server).post('/internal/erasures').set(service.asService('identity')).send({ user_id: ann });
    expect((await view(place)).body).toMatchObject(notFound);
  });
});
