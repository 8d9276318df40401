import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';

interface Charged {
  readonly conversation_id: string;
  readonly purpose: string;
  readonly cost_nano_dollars: number;
}

/** The model for titles costs one dollar per million tokens. The chat model is free. */
const models = (title: string) =>
  JSON.stringify({
    extends: 'builtin',
    providers: { local: { type: 'local' } },
    models: [{ id: 'titles', provider: 'local', model: 'x', prices: [{ from: '2020-01-01T00:00:00Z', input: 1, output: 1 }] }],
    defaults: { chat: 'local-extractive', title },
  });

describe('a title that is proposed by a model', () => {
  let service: ServiceUnderTest;
  const published: CloudEvent[] = [];
  const get = async (path: string) => (await request(service.server).get(path).set(service.as('ann'))).body;
  const say = async (text: string, id?: string): Promise<string> => {
    const body = { conversation_id: id, message: { content: [{ content_type: 'text', body: text }] } };
    const { conversation_id, message_id } = (await request(service.server).post('/conversation').set(service.as('ann')).send(body)).body;
    await waitFor(async () => (await get(`/conversation/${conversation_id}/${message_id}`)).status === 'completed', { what: 'a reply' });
    return conversation_id as string;
  };
  const proposed = async (id: string) => (await get(`/conversation/${id}/proposed-title`)).title as string;
  const charges = (id: string) =>
    published.flatMap(({ type, data }) =>
      type.endsWith('tokens-charged.v1') && (data as Charged).conversation_id === id ? [data as Charged] : [],
    );
  /** All events of a conversation up to this reply have been published. */
  const allPublished = async (id: string) => {
    await say('The end.', id);
    const { last_message_id } = await get(`/conversation/${id}`);
    const isEnd = ({ type, data }: CloudEvent) =>
      type.endsWith('completed.v1') && (data as { reply_id: string }).reply_id === last_message_id;
    await waitFor(() => published.some(isEnd), { what: 'the event of the last reply' });
  };

  beforeAll(async () => {
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: models('titles') });
    await new KeysOfUsers().enter(service.host);
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
  });
  afterAll(() => service.stop());

  it('is charged once, even if it is requested twice at once and again', async () => {
    const id = await say('Why is the sky blue?');
    const [one, two] = await Promise.all([proposed(id), proposed(id)]);
    expect([two, await proposed(id)]).toEqual([one, one]);
    expect(one).toMatch(/^.{1,100}$/u);
    const { total_price, title } = await get(`/conversation/${id}`);
    // The reply is free, so the whole price is for the title.
    expect(title).toBe('Why is the sky blue?');
    await allPublished(id);
    const [charge, ...others] = charges(id);
    expect([charge?.purpose, others]).toEqual(['title', []]);
    expect(charge!.cost_nano_dollars).toBeGreaterThan(0);
    expect(Math.round(total_price * 1e9)).toBe(charge!.cost_nano_dollars);
  });

  it('is generated and charged again when the conversation has continued', async () => {
    const id = await say('Why is the sky blue?');
    await proposed(id);
    await say('And the sea?', id);
    await proposed(id);
    await allPublished(id);
    expect(charges(id)).toHaveLength(2);
  });
});
