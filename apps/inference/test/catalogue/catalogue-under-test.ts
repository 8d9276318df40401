import { expect } from '@jest/globals';
import { UnrulyProvider } from '@parlance/chat-models/unruly-provider';
import { EventStore } from '@parlance/event-store';
import { KeysOfUsers, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { inference } from '../../src/service.ts';
import { ListingProvider } from './listing-provider.ts';

/** The harness takes classes that can be constructed. */
export const EVENTS = EventStore as unknown as new () => EventStore;

export const KEY = 'canary-key-of-an-added-provider';
export const price = { from: '2026-01-01T00:00:00Z', input: 1, output: 2 };

export type CatalogueUnderTest = Awaited<ReturnType<typeof catalogueUnderTest>>;

/** Inference with a configured model, two providers that can be added, and what administrators ask of the catalogue. */
export async function catalogueUnderTest() {
  const provider = await UnrulyProvider.open();
  const listing = new ListingProvider();
  const listingUrl = await listing.open();
  const models = {
    extends: 'builtin',
    providers: { fixed: { type: 'openai_compatible', base_url: 'http://127.0.0.1:9/v1', api_key: KEY } },
    models: [{ id: 'fixed-model', provider: 'fixed', model: 'x', prices: [price] }],
    routes: [{ id: 'fixed-route', targets: [{ model: 'fixed-model' }] }],
  };
  const service = await serviceUnderTest(inference, {
    PARLANCE_MODELS: JSON.stringify(models),
    PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
  });
  await new KeysOfUsers().enter(service.host);

  const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, user = 'root') => {
    const sending = request(service.server)[method](path);
    return sending.set(service.as(user, ...(user === 'root' ? ['Admin'] : [])));
  };
  const add = async (kind: 'providers' | 'models' | 'routes', body: object) => {
    const answer = await call('post', `/admin/${kind}`).send(body);
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ read_only: false, source: 'managed' })]);
    return answer;
  };
  const list = async (kind: 'providers' | 'models' | 'routes') => (await call('get', `/admin/${kind}`)).body[kind] as { id: string }[];
  const published = () => service.published();
  const stop = async () => {
    await service.stop();
    await provider.close();
    listing.close();
  };

  return { service, provider, listing, listingUrl, call, add, list, published, stop };
}
