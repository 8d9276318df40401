import { expect } from '@jest/globals';
import { KeysOfUsers } from '@parlance/foundation/harness';
import type { CloudEvent } from '@parlance/messaging';
import { type Answer, BotsUnderTest, type Headers } from '../bots-under-test.ts';

export const mail = {
  title: 'Polite mail',
  command: 'mail',
  description: 'For customers',
  text: 'Write to {{name}} in a {{tone|warm|dry}} tone.',
};

export const codeOf = ({ status, body }: Answer) => [status, body.code];

export type PromptsUnderTest = Awaited<ReturnType<typeof promptsUnderTest>>;

/** The service of bots, what users ask of its prompts, and the events that it publishes. */
export async function promptsUnderTest() {
  const bots = await BotsUnderTest.start();
  const keys = new KeysOfUsers();
  await keys.enter(bots.service.host);
  const published: CloudEvent[] = [];
  await bots.service.host.broker.subscribe({
    group: 'listener',
    topics: ['parlance.bots'],
    handle: async (deliveries) => void published.push(...deliveries.map(({ event }) => event)),
  });

  const as = (userId: string, ...groups: string[]) => bots.service.as(userId, ...groups);
  const admin = () => as('root', 'Admin');
  const create = async (userId: string, more: object = {}) => {
    const { status, body } = await bots.ask('POST', '/prompts', as(userId), { ...mail, ...more });
    expect([status, body.code]).toEqual([201, undefined]);
    return body.id as string;
  };
  const change = (id: string, body: object, headers: Headers) => bots.ask('PATCH', `/prompts/${id}`, headers, body);
  const share = (id: string, body: object, headers: Headers) => bots.ask('PATCH', `/prompts/${id}/visibility`, headers, body);
  const restore = (id: string, version: number, headers: Headers) => bots.ask('POST', `/prompts/${id}/restore`, headers, { version });
  const idsFrom = async (url: string, headers: Headers) =>
    ((await bots.get(url, headers)).body.prompts as { id: string }[]).map(({ id }) => id);
  const eventsOf = (id: string) =>
    published.map(({ type, data }) => ({ type, data: data as { prompt_id?: string } })).filter(({ data }) => data.prompt_id === id);

  return { bots, keys, published, as, admin, create, change, share, restore, idsFrom, eventsOf };
}
