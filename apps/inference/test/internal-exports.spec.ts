import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysOfUsers, type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { newId, timeOfId } from '@parlance/event-store';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { inference } from '../src/service.ts';

const HOUR = 3_600_000;

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('the content of conversations for exports', () => {
  let service: ServiceUnderTest;
  const ask = async (conversations: object[], from: number, to: number, headers = service.asService('analytics')) =>
    request(service.server).post('/internal/exports/messages').set(headers).send({ from, to, conversations });
  const talk = async (userId: string, body: string, conversation_id?: string): Promise<Place> => {
    const message = { content: [{ content_type: 'text', body }] };
    const sent = await request(service.server).post('/conversation').set(service.as(userId)).send({ conversation_id, message });
    const place = sent.body as Place;
    const path = `/conversation/${place.conversation_id}/${place.message_id}`;
    const isThere = async () => (await request(service.server).get(path).set(service.as(userId))).status === 200;
    await waitFor(isThere, { what: 'a reply' });
    return place;
  };
  /** The span that includes the present. */
  const now = () => [Date.now() - HOUR, Date.now() + HOUR] as const;

  beforeAll(async () => {
    service = await serviceUnderTest(inference);
    await new KeysOfUsers().enter(service.host);
  });
  afterAll(() => service.stop());

  it('has the opened messages of a span, with ratings and the messages that follow', async () => {
    const { conversation_id, message_id } = await talk('ann', 'Why?');
    const rating = { thumbs_up: false, category: 'wrong', comment: 'No.' };
    await request(service.server).put(`/conversation/${conversation_id}/${message_id}/feedback`).set(service.as('ann')).send(rating);
    const { body } = await ask([{ conversation_id }], ...now());
    const [found] = body.conversations;
    expect(found).toMatchObject({ conversation_id, next: null });
    expect(Math.abs(found.create_time - Date.now() / 1_000)).toBeLessThan(3_600);
    const of = (role: string) => found.messages.find((message: { role: string }) => message.role === role);
    expect(of('user')).toMatchObject({ content: [{ content_type: 'text', body: 'Why?' }], parent: null, children: [message_id] });
    expect(of('assistant')).toMatchObject({ message_id, status: 'completed', feedback: rating, children: [] });
  });
  it('has no messages of other spans', async () => {
    const { conversation_id } = await talk('ann', 'Why?');
    const [from, to] = now();
    for (const [begin, end] of [
      [from - HOUR, to - 2 * HOUR],
      [from + 2 * HOUR, to + HOUR],
    ] as const)
      expect((await ask([{ conversation_id }], begin, end)).body.conversations).toMatchObject([{ conversation_id, messages: [] }]);
  });
  it('is split into pages when texts are long, with each message once', async () => {
    const long = 'word '.repeat(100_000);
    const first = await talk('ann', long);
    for (let n = 0; n < 2; n++) await talk('ann', long, first.conversation_id);
    const other = await talk('ann', 'Short.');
    const seen: string[] = [];
    let remaining: { conversation_id: string; after?: string }[] = [first, other].map(({ conversation_id }) => ({ conversation_id }));
    let pages = 0;
    for (; remaining.length > 0; pages++) {
      const { conversations } = (await ask(remaining, ...now())).body;
      expect(conversations.length).toBeGreaterThan(0);
      for (const { messages } of conversations) seen.push(...messages.map((message: { message_id: string }) => message.message_id));
      const { conversation_id, next } = conversations.at(-1);
      remaining = [...(next === null ? [] : [{ conversation_id, after: next }]), ...remaining.slice(conversations.length)];
    }
    expect(pages).toBeGreaterThan(1);
    expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
  });
  it('excludes deleted and unknown conversations', async () => {
    const { conversation_id } = await talk('ben', 'Why?');
    await request(service.server).delete(`/conversation/${conversation_id}`).set(service.as('ben'));
    const unknown = newId();
    const { body } = await ask([{ conversation_id }, { conversation_id: unknown }], ...now());
    expect(body.conversations).toEqual(
      [conversation_id, unknown].map((id) => ({ conversation_id: id, create_time: null, messages: [], next: null })),
    );
  });
  it('is only for services', async () => {
    expect((await ask([], ...now(), service.as('root', 'Admin'))).status).toBe(404);
  });
  it('finds messages by the time in their IDs', () => {
    expect(Math.abs((timeOfId(newId()) ?? 0) - Date.now())).toBeLessThan(HOUR);
    expect(timeOfId('c1')).toBeNull();
  });
});
