import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { inference } from '../src/service.ts';
import { EventReader } from './event-reader.ts';
import { ScriptedModel } from './scripted-model.ts';

interface Place {
  readonly conversation_id: string;
  readonly message_id: string;
}

describe('a reply that is streamed', () => {
  let service: ServiceUnderTest;
  let url: string;
  const model = new ScriptedModel();
  const headers = (userId = 'ann') => ({ ...service.as(userId), 'content-type': 'application/json' });
  const bodyOf = (body: string, more: object = {}) => JSON.stringify({ message: { content: [{ content_type: 'text', body }] }, ...more });
  const post = (body: string, more: Record<string, string> = {}, fields: object = {}) =>
    fetch(`${url}/conversation`, { method: 'POST', headers: { ...headers(), ...more }, body: bodyOf(body, fields) });
  const stream = (body: string, fields: object = {}) =>
    EventReader.open(`${url}/conversation`, {
      method: 'POST',
      headers: { ...headers(), accept: 'text/event-stream' },
      body: bodyOf(body, fields),
    });
  const pathOf = ({ conversation_id, message_id }: Place, rest = '') => `${url}/conversation/${conversation_id}/${message_id}${rest}`;
  const resume = (place: Place, lastEventId?: string, userId = 'ann') =>
    EventReader.open(pathOf(place, '/stream'), { headers: { ...headers(userId), ...(lastEventId && { 'last-event-id': lastEventId }) } });
  const cancel = (place: Place, userId = 'ann') => fetch(pathOf(place, '/cancel'), { method: 'POST', headers: service.as(userId) });
  const read = async (place: Place) => {
    const answer = await fetch(pathOf(place), { headers: headers() });
    // What an endpoint answers is what the test is about: it is looked at, not typed.
    return { status: answer.status, body: (await answer.json()) as any }; // oxlint-disable-line no-explicit-any
  };
  const finished = async (place: Place) => {
    await waitFor(async () => (await read(place)).status === 200, { what: 'the reply' });
    return (await read(place)).body;
  };
  const begun = async (question: string, ...texts: string[]) => {
    const reader = await stream(question);
    const call = (await model.call(question)).say(...texts);
    await reader.until('the first text', () => reader.text === texts.join(''));
    return { reader, call, place: reader.events[0]!.data as Place };
  };

  beforeAll(async () => {
    model.enter();
    service = await serviceUnderTest(inference);
    await new Promise<void>((resolve) => service.server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(service.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await service.stop();
    jest.restoreAllMocks();
  });

  it('comes as it is produced, and is stored before its end', async () => {
    const reader = await stream('Why?');
    const call = await model.call('Why?');
    call.reason('Hm.');
    await reader.until('the reasoning', (events) => events.length === 2);
    call.say('So ');
    await reader.until('the text', (events) => events.length === 3);
    call.say('it is.').end();
    await reader.whole();
    const place = reader.events[0]!.data as Place;
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.events.map(({ event, data }) => [event, data])).toEqual([
      ['start', place],
      ['reasoning', { text: 'Hm.' }],
      ['delta', { text: 'So ' }],
      ['delta', { text: 'it is.' }],
      [
        'done',
        {
          message_id: place.message_id,
          stop_reason: 'end_turn',
          usage: { input_tokens: 7, output_tokens: 3, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
          cost: 0,
        },
      ],
    ]);
    const { message, status } = (await read(place)).body;
    expect([status, message.stop_reason, message.content]).toEqual([
      'completed',
      'end_turn',
      [
        { content_type: 'reasoning', body: 'Hm.' },
        { content_type: 'text', body: 'So it is.' },
      ],
    ]);
  });
  it('is refused before it begins as any other message', async () => {
    const answer = await post('Why?', { accept: 'text/event-stream' }, { message: { content: [], model: 'none' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, expect.stringContaining('application/problem+json')]);
  });
  it('goes on when its reader leaves, and is resumed behind the last event', async () => {
    const { reader, call, place } = await begun('Where?', 'Over', ' there');
    reader.leave();
    const again = await resume(place, reader.events[1]!.id);
    call.say(', and here.').end();
    await again.whole();
    expect([again.names, again.text]).toEqual(['delta delta done', ' there, and here.']);
  });
  it('is resumed also when it is stored: the rest alone', async () => {
    const { reader, call, place } = await begun('When?', 'At ten');
    const at = reader.last.id;
    call.say(', or eleven.').end();
    await reader.whole();
    const again = await (await resume(place, at)).whole();
    expect([again.names, again.text]).toEqual(['delta done', ', or eleven.']);
    expect((await (await resume(place, reader.last.id)).whole()).names).toBe('done');
  });
  it.each([undefined, 'nonsense', '01K0000000000000000000000A.0.3.0'])('is given whole, with a start, after the ID %j', async (id) => {
    const question = `Which, after ${id}?`;
    const { reader, call, place } = await begun(question, 'This one.');
    const during = await resume(place, id);
    call.end();
    await Promise.all([reader.whole(), during.whole()]);
    const after = await (await resume(place, id)).whole();
    for (const each of [during, after]) expect([each.names, each.text]).toEqual(['start delta done', 'This one.']);
  });
  it('gives every reader the same, however slowly each of them reads', async () => {
    const { reader, call, place } = await begun('How long?', 'Begin. ');
    const others = await Promise.all([resume(place), resume(place)]);
    for (let n = 0; n < 200; n++) call.say(`${n} ${'x'.repeat(500)} `);
    call.end();
    const whole = (await finished(place)).message.content[0].body;
    for (const each of [reader, ...others]) expect((await each.whole()).text).toBe(whole);
  });
  it('is followed by its user alone, and only a reply is', async () => {
    const { call, place, reader } = await begun('Whose?', 'Mine.');
    const question = (await model.call('Whose?')) && (await questionOf(place, call));
    for (const answer of [
      await fetch(pathOf(place, '/stream'), { headers: headers('ben') }),
      await fetch(pathOf({ ...place, message_id: question }, '/stream'), { headers: headers() }),
    ])
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'message_not_found']);
    await reader.whole();
  });
  const questionOf = async (place: Place, call: { end(): unknown }) => {
    call.end();
    return (await finished(place)).message.parent as string;
  };
  it('ends with an error when the model breaks off, behind the text that came before', async () => {
    const { reader, call, place } = await begun('Whither?', 'Towards');
    call.fail(new Error('ECONNRESET 10.0.0.1'));
    await reader.whole();
    expect(reader.last).toMatchObject({ event: 'error', data: { code: 'generation_failed', message: 'The model gave no answer.' } });
    const { status, message, error } = await finished(place);
    expect([status, error.code, message.content]).toEqual(['failed', 'generation_failed', [{ content_type: 'text', body: 'Towards' }]]);
    const again = await (await resume(place)).whole();
    expect([again.names, again.text]).toEqual(['start delta error', 'Towards']);
  });

  describe('and cancelled', () => {
    it('ends with what there is, and ends the request to the model', async () => {
      const { reader, call, place } = await begun('What else?', 'This, and');
      const answer = await cancel(place);
      expect([answer.status, await answer.json()]).toEqual([202, place]);
      await reader.whole();
      expect(call.signal.aborted).toBe(true);
      expect(reader.last).toMatchObject({ event: 'done', data: { stop_reason: 'cancelled', usage: { estimated: true } } });
      const { status, message } = await finished(place);
      expect([status, message.stop_reason, message.content]).toEqual([
        'completed',
        'cancelled',
        [{ content_type: 'text', body: 'This, and' }],
      ]);
    });
    it('before its first word has no content', async () => {
      const reader = await stream('And then?');
      await model.call('And then?');
      await reader.until('its start', (events) => events.length === 1);
      const place = reader.events[0]!.data as Place;
      await cancel(place);
      await reader.whole();
      expect([reader.names, (await finished(place)).message.content]).toEqual(['start done', []]);
    });
    it('is over for a second try, and unknown to other users', async () => {
      const { reader, place } = await begun('Or else?', 'Or');
      expect((await cancel(place, 'ben')).status).toBe(404);
      await cancel(place);
      await reader.whole();
      const answer = await cancel(place);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([409, 'reply_is_over']);
    });
  });

  describe('and waited for', () => {
    it.each([
      ['wait=20', 20],
      ['wait=600', 30],
    ])('is answered finished when it ends in time (%s)', async (prefer, seconds) => {
      const waiting = post(`Ready, ${prefer}?`, { prefer });
      (await model.call(`Ready, ${prefer}?`)).say('Yes.').end();
      const answer = await waiting;
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, `wait=${seconds}`]);
      expect(await answer.json()).toMatchObject({ status: 'completed', message: { content: [{ content_type: 'text', body: 'Yes.' }] } });
    });
    it('is answered with its ids when it does not', async () => {
      const answer = await post('Ready now?', { prefer: 'wait=0' });
      const place = (await answer.json()) as Place;
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'wait=0']);
      (await model.call('Ready now?')).say('Yes.').end();
      await finished(place);
    });
  });

  describe('again', () => {
    const ask = async (fields: object) => {
      const answer = await fetch(`${url}/conversation`, { method: 'POST', headers: headers(), body: JSON.stringify(fields) });
      return { status: answer.status, body: (await answer.json()) as Place & { code?: string } };
    };
    const answered = async (question: string, text: string) => {
      const { reader, call, place } = await begun(question, text);
      call.end();
      await reader.whole();
      return place;
    };

    it('is another reply to the same message', async () => {
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
    it('continues the last reply, with the earlier text in front', async () => {
      const first = await answered('A story?', 'Once upon');
      const reader = await EventReader.open(`${url}/conversation`, {
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
    it('is reasoned when the user wants it', async () => {
      const answer = await post('Think?', {}, { enable_reasoning: true });
      const call = await model.call('Think?');
      expect(call.prompt.parameters.reasoningTokens).toBeGreaterThan(0);
      call.end();
      await finished((await answer.json()) as Place);
    });
    it('is refused for what cannot be answered', async () => {
      const first = await answered('Anything?', 'Nothing.');
      const { parent } = (await finished(first)).message;
      const { conversation_id } = first;
      const text = [{ content_type: 'text', body: 'x' }];
      const unknown = '01K0000000000000000000000A';
      const asked: [object, number, string][] = [
        [{ message: { content: [] } }, 400, 'content_required'],
        [{ conversation_id, message: { content: [] } }, 400, 'content_required'],
        [{ conversation_id, message: { content: [], parent_message_id: first.message_id } }, 400, 'content_required'],
        [{ conversation_id, message: { content: [], parent_message_id: unknown } }, 400, 'parent_message_unknown'],
        [{ conversation_id, message: { content: text }, continue_generate: true }, 400, 'content_not_empty'],
        [{ conversation_id, message: { content: [], parent_message_id: parent }, continue_generate: true }, 400, 'not_a_reply'],
        [{ conversation_id: unknown, message: { content: [] }, continue_generate: true }, 404, 'conversation_not_found'],
      ];
      for (const [body, status, code] of asked) {
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

  it('ends without an end when the process stops, so that its reader resumes', async () => {
    const { reader, call } = await begun('Last?', 'Yes');
    const stopped = service.host.shutdown.run();
    await reader.whole();
    expect(reader.last.event).toBe('delta');
    call.end();
    await stopped;
  });
});
