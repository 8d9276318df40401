import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { waitFor } from '@parlance/testing';
import { inference } from '../src/service.ts';
import { EventReader } from './event-reader.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('a reply that is streamed from a provider', () => {
  let provider: UnrulyProvider;
  let service: ServiceUnderTest;
  let url: string;
  const published: CloudEvent[] = [];

  beforeAll(async () => {
    provider = await UnrulyProvider.open();
    const models = {
      providers: { ours: { type: 'openai_compatible', base_url: provider.url } },
      models: [
        {
          id: 'ours-large',
          provider: 'ours',
          model: 'large',
          prices: [{ from: '2026-01-01T00:00:00Z', input: 1, output: 2 }],
          context_window: 32_000,
        },
      ],
      defaults: { chat: 'ours-large' },
    };
    service = await serviceUnderTest(inference, { PARLANCE_MODELS: JSON.stringify(models) });
    await service.host.broker.subscribe({
      group: 'listener',
      topics: ['parlance.inference'],
      handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
    });
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await service.stop();
    await provider.close();
  });

  const headers = () => ({ ...service.as('ann'), 'content-type': 'application/json' });
  const stream = () =>
    EventReader.open(`${url}/conversation`, {
      method: 'POST',
      headers: { ...headers(), accept: 'text/event-stream' },
      body: JSON.stringify({ message: { content: [{ content_type: 'text', body: 'Why?' }] } }),
    });
  /** The nano-dollars of each charge of a reply. */
  const charges = async ({ conversation_id }: Place, end: string) => {
    const its = () => published.filter(({ data }) => (data as Place).conversation_id === conversation_id);
    await waitFor(() => its().some(({ type }) => type === `parlance.inference.${end}.v1`), { what: end });
    return its().flatMap(({ data }) => (data as { cost_nano_dollars?: number }).cost_nano_dollars ?? []);
  };

  it('ends at the provider when its user stops it, and is charged once', async () => {
    provider.behave = () => ({ does: 'drip', piece: 'word ', everyMillis: 5 });
    const arrived = provider.nextCall();
    const reader = await (await stream()).until('some text', (events) => events.length > 3);
    const place = reader.events[0]!.data as Place;
    await fetch(`${url}/conversation/${place.conversation_id}/${place.message_id}/cancel`, { method: 'POST', headers: service.as('ann') });
    await (
      await arrived
    ).closed;
    await reader.whole();
    const { usage, cost, stop_reason } = reader.last.data;
    expect([stop_reason, usage.estimated, reader.text]).toEqual(['cancelled', true, expect.stringMatching(/^(word )+$/)]);
    expect(await charges(place, 'reply-completed')).toEqual([usage.input_tokens * 1_000 + usage.output_tokens * 2_000]);
    expect(cost).toBe((usage.input_tokens * 1_000 + usage.output_tokens * 2_000) / 1e9);
  });
  it('fails with the text so far when the stream of the provider breaks, and is charged once', async () => {
    provider.behave = () => ({ does: 'break', after: 3 });
    const reader = await (await stream()).whole();
    const place = reader.events[0]!.data as Place;
    expect([reader.last, reader.text]).toMatchObject([{ event: 'error', data: { code: 'stream_broken' } }, 'word word word ']);
    const [charge, ...others] = await charges(place, 'tokens-charged');
    expect([charge! > 0, others]).toEqual([true, []]);
  });
  it('is ended at the provider when it becomes too long', async () => {
    provider.behave = () => ({ does: 'talk endlessly' });
    const arrived = provider.nextCall();
    const reader = await (await stream()).whole();
    await (
      await arrived
    ).closed;
    expect(reader.last).toMatchObject({ event: 'done', data: { stop_reason: 'max_tokens' } });
    expect(Buffer.byteLength(reader.text)).toBe(1024 * 1024);
  });
  it('is stopped before the provider has answered, and is charged only for the question', async () => {
    provider.behave = () => ({ does: 'hang', after: 'nothing' });
    const arrived = provider.nextCall();
    const reader = await stream();
    const call = await arrived;
    const place = reader.events[0]!.data as Place;
    await fetch(`${url}/conversation/${place.conversation_id}/${place.message_id}/cancel`, { method: 'POST', headers: service.as('ann') });
    await call.closed;
    await reader.whole();
    expect(reader.last.data.usage).toMatchObject({ output_tokens: 0, estimated: true });
  });
});
