import { describe, expect, it } from '@jest/globals';
import type { ReplyEvent } from '@parlance/client';
import type { Story } from './people-story.ts';
import { allOf } from './all-of.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

/** Replies that a client streams or waits for, from any replica. */
export function conversationsStory(story: () => Story): void {
  const message = (body: string) => ({ message: { content: [{ content_type: 'text' as const, body }] } });
  const client = () => story().clientOf(story().adminToken).conversations;

  describe('a reply', () => {
    let place: Place;
    let first: ReplyEvent[];
    let text: string;

    it('is streamed through the edge, and stored before the end of the stream', async () => {
      first = await allOf(client().stream(message('What is a stream?')));
      const [start, delta, done] = first;
      if (first.length !== 3 || start?.event !== 'start' || delta?.event !== 'delta' || done?.event !== 'done')
        throw new Error(`The events were ${first.map(({ event }) => event).join()}.`);
      place = start.data;
      ({ text } = delta.data);
      const { body, status } = await story().ask('GET', `/conversation/${place.conversation_id}/${place.message_id}`);
      expect([status, body.message.content[0].body, body.message.stop_reason]).toEqual([200, text, 'end_turn']);
      expect(done.data).toMatchObject({ message_id: place.message_id, stop_reason: 'end_turn', usage: { estimated: false } });
      expect(done.data.cost).toBeGreaterThan(0);
    });
    it('is resumed at any replica, after the last event', async () => {
      const { conversation_id, message_id } = place;
      for (const _ of story().product.urls) {
        const lastEventId = first[0]!.id;
        expect(await allOf(client().follow(conversation_id, message_id, { lastEventId }))).toEqual(first.slice(1));
        expect(await allOf(client().follow(conversation_id, message_id))).toEqual(first);
      }
    });
    it('is streamed as server-sent events', async () => {
      const { product, adminToken } = story();
      const path = `/conversation/${place.conversation_id}/${place.message_id}/stream`;
      const answer = await fetch(`${product.urls[0]}${path}`, { headers: { authorization: `Bearer ${adminToken}` } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(await answer.text()).toMatch(/^id: .+\nevent: start\ndata: .+\n\n/);
    });
    it('can be waited for', async () => {
      const { status, headers, body } = await story().ask('POST', '/conversation', message('How long?'), { prefer: 'wait=10' });
      expect([status, headers.get('preference-applied'), body.status]).toEqual([200, 'wait=10', 'completed']);
    });
    it('is generated once for one idempotency key, also as a stream', async () => {
      const key = { idempotencyKey: `stream-${Date.now()}` };
      const once = () => allOf(client().stream(message('Once?'), key));
      const [one, repeated] = [await once(), await once()];
      expect(repeated).toEqual(one);
    });
    it('cannot be cancelled when it is complete', async () => {
      const answer = await story().ask('POST', `/conversation/${place.conversation_id}/${place.message_id}/cancel`);
      expect([answer.status, answer.body.code]).toEqual([409, 'reply_is_over']);
    });
    it('can be generated again, and continued', async () => {
      const { ask } = story();
      const { conversation_id, message_id } = place;
      const { parent } = (await ask('GET', `/conversation/${conversation_id}/${message_id}`)).body.message;
      const repeated = await ask(
        'POST',
        '/conversation',
        { conversation_id, message: { content: [], parent_message_id: parent } },
        { prefer: 'wait=10' },
      );
      expect([repeated.status, repeated.body.message.parent, repeated.body.message.content]).toEqual([
        200,
        parent,
        [{ content_type: 'text', body: text }],
      ]);
      const body = { conversation_id, message: { content: [] }, continue_generate: true };
      const more = await ask('POST', '/conversation', body, { prefer: 'wait=10' });
      expect([more.status, more.body.message.parent]).toEqual([200, parent]);
      expect(more.body.message.content[0].body.startsWith(text)).toBe(true);
    });
  });
}
