import { describe, expect, it } from '@jest/globals';
import type { Telling } from './people-story.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

/** What a client sees of replies that it streams and waits for, whichever replica it asks. */
export function tellsOfConversations(telling: () => Telling): void {
  const message = (body: string) => ({ message: { content: [{ content_type: 'text', body }] } });
  let asked = 0;
  /** The events of a stream until its end. */
  const events = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const { product, adminToken } = telling();
    const answer = await fetch(`${product.urls[asked++ % product.urls.length]}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        accept: 'text/event-stream',
        'user-agent': 'story/1',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const all = (await answer.text()).split('\n\n').filter((text) => text !== '' && !text.startsWith(':'));
    return all.map((text) => {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text)!;
      // What a stream says is what the test is about: it is looked at, not typed.
      return { id: id!, event, data: JSON.parse(data!) as any }; // oxlint-disable-line no-explicit-any
    });
  };

  describe('a reply', () => {
    let place: Place;
    let first: Awaited<ReturnType<typeof events>>;

    it('is streamed through the edge, and stored before the end of the stream', async () => {
      first = await events('POST', '/conversation', {}, message('What is a stream?'));
      expect(first.map(({ event }) => event)).toEqual(['start', 'delta', 'done']);
      place = first[0]!.data;
      const { body, status } = await telling().ask('GET', `/conversation/${place.conversation_id}/${place.message_id}`);
      expect([status, body.message.content[0].body, body.message.stop_reason]).toEqual([200, first[1]!.data.text, 'end_turn']);
      expect(first[2]!.data).toMatchObject({ message_id: place.message_id, stop_reason: 'end_turn', usage: { estimated: false } });
      expect(first[2]!.data.cost).toBeGreaterThan(0);
    });
    it('is resumed at any replica, behind the last event', async () => {
      const path = `/conversation/${place.conversation_id}/${place.message_id}/stream`;
      for (const _ of telling().product.urls) {
        expect(await events('GET', path, { 'last-event-id': first[0]!.id })).toEqual(first.slice(1));
        expect(await events('GET', path)).toEqual(first);
      }
    });
    it('is waited for', async () => {
      const { status, headers, body } = await telling().ask('POST', '/conversation', message('How long?'), { prefer: 'wait=10' });
      expect([status, headers.get('preference-applied'), body.status]).toEqual([200, 'wait=10', 'completed']);
    });
    it('is given once for one key, also as a stream', async () => {
      const key = { 'idempotency-key': `stream-${Date.now()}` };
      const [one, again] = [
        await events('POST', '/conversation', key, message('Once?')),
        await events('POST', '/conversation', key, message('Once?')),
      ];
      expect(again).toEqual(one);
    });
    it('is not cancelled when it is over', async () => {
      const answer = await telling().ask('POST', `/conversation/${place.conversation_id}/${place.message_id}/cancel`);
      expect([answer.status, answer.body.code]).toEqual([409, 'reply_is_over']);
    });
    it('is given again, and continued', async () => {
      const { ask } = telling();
      const { conversation_id, message_id } = place;
      const { parent } = (await ask('GET', `/conversation/${conversation_id}/${message_id}`)).body.message;
      const again = await ask(
        'POST',
        '/conversation',
        { conversation_id, message: { content: [], parent_message_id: parent } },
        { prefer: 'wait=10' },
      );
      expect([again.status, again.body.message.parent, again.body.message.content]).toEqual([
        200,
        parent,
        [{ content_type: 'text', body: first[1]!.data.text }],
      ]);
      const body = { conversation_id, message: { content: [] }, continue_generate: true };
      const more = await ask('POST', '/conversation', body, { prefer: 'wait=10' });
      expect([more.status, more.body.message.parent]).toEqual([200, parent]);
      expect(more.body.message.content[0].body.startsWith(first[1]!.data.text)).toBe(true);
    });
  });
}
