import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { EventReader } from './event-reader.ts';
import { type Place, StreamingWorld } from './streaming-world.ts';

describe('a request for another reply, or for a continuation', () => {
  const world = new StreamingWorld();
  const { model, headers, post, finished, begun } = world;

  beforeAll(() => world.start());
  afterAll(() => world.stop());

  const ask = async (fields: object) => {
    const answer = await fetch(`${world.url}/conversation`, { method: 'POST', headers: headers(), body: JSON.stringify(fields) });
    return { status: answer.status, body: (await answer.json()) as Place & { code?: string } };
  };
  const answered = async (question: string, text: string) => {
    const { reader, call, place } = await begun(question, text);
    call.end();
    await reader.whole();
    return place;
  };

  it('adds another reply to the same message', async () => {
    const first = await answered('A joke?', 'Knock.');
    const { parent } = (await finished(first)).message;
    const again = await ask({ conversation_id: first.conversation_id, message: { content: [], parent_message_id: parent } });
    expect(again.status).toBe(202);
    await waitFor(() => model.calls.at(-1)!.prompt.turns.length === 1, { what: 'the second call' });
    await waitFor(() => model.calls.filter(({ prompt }) => prompt.turns.at(-1)!.text === 'A joke?').length === 2, { what: 'it' });
    (await model.call('A joke?')).say('Who?').end();
    const { message } = await finished(again.body);
    expect([message.parent, message.content]).toEqual([parent, [{ content_type: 'text', body: 'Who?' }]]);
  });
  it('continues the last reply, after its earlier text', async () => {
    const first = await answered('A story?', 'Once upon');
    const reader = await EventReader.open(`${world.url}/conversation`, {
      method: 'POST',
      headers: { ...headers(), accept: 'text/event-stream' },
      body: JSON.stringify({ conversation_id: first.conversation_id, message: { content: [] }, continue_generate: true }),
    });
    await reader.until('the earlier text', () => reader.text === 'Once upon');
    const call = await model.call('A story?');
    expect(call.prompt.turns).toEqual([
      { role: 'user', text: 'A story?' },
      { role: 'assistant', text: 'Once upon' },
    ]);
    call.say(' a time.').end();
    await reader.whole();
    const place = reader.events[0]!.data as Place;
    const { message } = await finished(place);
    expect([reader.text, message.content[0].body, message.parent]).toEqual([
      'Once upon a time.',
      'Once upon a time.',
      (await finished(first)).message.parent,
    ]);
    expect((await finished(first)).message.content[0].body).toBe('Once upon');
  });
  it('enables reasoning if the user wants it', async () => {
    const answer = await post('Think?', {}, { enable_reasoning: true });
    const call = await model.call('Think?');
    expect(call.prompt.parameters.reasoningTokens).toBeGreaterThan(0);
    call.end();
    await finished((await answer.json()) as Place);
  });
  it('is refused if it asks for something that cannot be answered', async () => {
    const first = await answered('Anything?', 'Nothing.');
    const { parent } = (await finished(first)).message;
    const { conversation_id } = first;
    const text = [{ content_type: 'text', body: 'x' }];
    const unknown = '01K0000000000000000000000A';
    const refused: [object, number, string][] = [
      [{ message: { content: [] } }, 400, 'content_required'],
      [{ conversation_id, message: { content: [] } }, 400, 'content_required'],
      [{ conversation_id, message: { content: [], parent_message_id: first.message_id } }, 400, 'content_required'],
      [{ conversation_id, message: { content: [], parent_message_id: unknown } }, 400, 'parent_message_unknown'],
      [{ conversation_id, message: { content: text }, continue_generate: true }, 400, 'content_not_empty'],
      [{ conversation_id, message: { content: [], parent_message_id: parent }, continue_generate: true }, 400, 'not_a_reply'],
      [{ conversation_id: unknown, message: { content: [] }, continue_generate: true }, 404, 'conversation_not_found'],
    ];
    for (const [body, status, code] of refused) {
      const field = /parent|reply/.test(code) ? 'message.parent_message_id' : 'message.content';
      const errors = status === 400 && { errors: [{ path: field, message: expect.any(String) }] };
      expect(await ask(body)).toMatchObject({ status, body: { code, ...errors } });
    }
  });
  it('cannot continue a reply without a text, or one that is being written', async () => {
    const { reader, call, place } = await begun('Silence?', 'S');
    const body = { conversation_id: place.conversation_id, message: { content: [] }, continue_generate: true };
    expect(await ask(body)).toMatchObject({ status: 409, body: { code: 'reply_in_progress' } });
    call.end();
    await reader.whole();
    const failed = await post('No word?', {}, { conversation_id: place.conversation_id });
    (await model.call('No word?')).fail(new Error('refused'));
    await finished((await failed.json()) as Place);
    expect(await ask(body)).toMatchObject({ status: 409, body: { code: 'nothing_to_continue' } });
  });
});
