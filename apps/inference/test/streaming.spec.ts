import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTINUE_AT_HEADER, CONTINUES_HEADER } from '@parlance/http';
import { EventReader } from './event-reader.ts';
import { type Place, StreamingWorld } from './streaming-world.ts';

describe('a reply that is streamed', () => {
  const world = new StreamingWorld();
  const { model, headers, post, stream, pathOf, read, finished, begun } = world;
  const resume = (place: Place, lastEventId?: string, userId = 'ann') =>
    EventReader.open(pathOf(place, '/stream'), { headers: { ...headers(userId), ...(lastEventId && { 'last-event-id': lastEventId }) } });
  const cancel = (place: Place, userId = 'ann') => fetch(pathOf(place, '/cancel'), { method: 'POST', headers: world.service.as(userId) });

  beforeAll(() => world.start());
  afterAll(() => world.stop());

  it('arrives as it is produced, and is stored before its end', async () => {
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
  it('is refused before it begins, like any other message', async () => {
    const answer = await post('Why?', { accept: 'text/event-stream' }, { message: { content: [], model: 'none' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, expect.stringContaining('application/problem+json')]);
  });
  it('continues when its reader leaves, and is resumed after the last event', async () => {
    const { reader, call, place } = await begun('Where?', 'Over', ' there');
    reader.leave();
    const again = await resume(place, reader.events[1]!.id);
    call.say(', and here.').end();
    await again.whole();
    expect([again.names, again.text]).toEqual(['delta delta done', ' there, and here.']);
  });
  it('can be resumed after it is stored, with only the rest', async () => {
    const { reader, call, place } = await begun('When?', 'At ten');
    const at = reader.last.id;
    call.say(', or eleven.').end();
    await reader.whole();
    const again = await (await resume(place, at)).whole();
    expect([again.names, again.text]).toEqual(['delta done', ', or eleven.']);
    expect((await (await resume(place, reader.last.id)).whole()).names).toBe('done');
  });
  it('names the path of its rest to an edge that continues streams', async () => {
    const sent = await post('Which way?', { accept: 'text/event-stream', [CONTINUES_HEADER]: '1' });
    (await model.call('Which way?')).say('This way.').end();
    const [, data = ''] = /^data: (.*)$/m.exec(await sent.text()) ?? [];
    const place = JSON.parse(data) as Place;
    const path = `/conversation/${place.conversation_id}/${place.message_id}/stream`;
    const again = await EventReader.open(pathOf(place, '/stream'), { headers: { ...headers('ann'), [CONTINUES_HEADER]: '1' } });
    expect([sent.headers.get(CONTINUE_AT_HEADER), again.headers.get(CONTINUE_AT_HEADER)]).toEqual([path, path]);
    expect((await resume(place)).headers.get(CONTINUE_AT_HEADER)).toBeNull();
  });
  it.each([
    [undefined, 'start'],
    ['nonsense', 'start'],
    ['01K0000000000000000000000A.0.3.0', 'restarted'],
  ])('is sent completely, after the ID %j with the event %s', async (id, beginning) => {
    const question = `Which, after ${id}?`;
    const { reader, call, place } = await begun(question, 'This one.');
    const during = await resume(place, id);
    call.end();
    await Promise.all([reader.whole(), during.whole()]);
    const after = await (await resume(place, id)).whole();
    for (const each of [during, after]) expect([each.names, each.text]).toEqual([`${beginning} delta done`, 'This one.']);
  });
  it('sends every reader the same, however slowly each one reads', async () => {
    const { reader, call, place } = await begun('How long?', 'Begin. ');
    const others = await Promise.all([resume(place), resume(place)]);
    for (let n = 0; n < 200; n++) call.say(`${n} ${'x'.repeat(500)} `);
    call.end();
    const whole = (await finished(place)).message.content[0].body;
    for (const each of [reader, ...others]) expect((await each.whole()).text).toBe(whole);
  });
  it('is available only to its user, and only for replies', async () => {
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
  it('ends with an error when the stream of the model breaks, after the text so far', async () => {
    const { reader, call, place } = await begun('Whither?', 'Towards');
    call.fail(new Error('ECONNRESET 10.0.0.1'));
    await reader.whole();
    expect(reader.last).toMatchObject({ event: 'error', data: { code: 'generation_failed', message: 'The model returned no answer.' } });
    const { status, message, error } = await finished(place);
    expect([status, error.code, message.content]).toEqual(['failed', 'generation_failed', [{ content_type: 'text', body: 'Towards' }]]);
    const again = await (await resume(place)).whole();
    expect([again.names, again.text]).toEqual(['start delta error', 'Towards']);
  });

  describe('and cancelled', () => {
    it('ends with the text so far, and ends the request to the model', async () => {
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
    it('cannot be cancelled twice, and is unknown to other users', async () => {
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
    ])('is returned complete if it ends in time (%s)', async (prefer, seconds) => {
      const waiting = post(`Ready, ${prefer}?`, { prefer });
      (await model.call(`Ready, ${prefer}?`)).say('Yes.').end();
      const answer = await waiting;
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, `wait=${seconds}`]);
      expect(await answer.json()).toMatchObject({ status: 'completed', message: { content: [{ content_type: 'text', body: 'Yes.' }] } });
    });
    it('is answered with its IDs if it does not end in time', async () => {
      const answer = await post('Ready now?', { prefer: 'wait=0' });
      const place = (await answer.json()) as Place;
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'wait=0']);
      (await model.call('Ready now?')).say('Yes.').end();
      await finished(place);
    });
  });

  it('ends without an end event when the process stops, so that its reader resumes', async () => {
    const { reader, call } = await begun('Last?', 'Yes');
    const stopped = world.service.host.shutdown.run();
    await reader.whole();
    expect(reader.last.event).toBe('delta');
    call.end();
    await stopped;
  });
});
