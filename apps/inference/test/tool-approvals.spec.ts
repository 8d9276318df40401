import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { type Place, ToolWorld } from './tool-world.ts';

const { resultsIn } = ToolWorld;
const DAY_MILLIS = 86_400_000;

describe('a call that needs approval', () => {
  const world = new ToolWorld();
  const { model, tools } = world;
  const callsOf = ({ conversation_id }: Place) => tools.writing.calls.filter(({ context }) => context.conversationId === conversation_id);
  /** Asks, and resolves when the reply waits for its user. */
  const awaitApproval = async (question: string) => {
    const place = await world.ask(question);
    (await model.call(question)).say('First. ').use('calculator', { expression: '1+1' }).use('writing', { to: 'ben' }).await();
    const [pending, ...others] = await world.awaiting(place);
    expect(others).toEqual([]);
    return { place, pending: pending! };
  };

  /** The titles of chats with replies that wait, for a service that asks on behalf of a user. */
  const waitingFor = async (userId: string, { message_id }: Place) => {
    const asking = request(world.service.server).post('/internal/seen-titles').set(world.service.asCallFor(userId));
    return (await asking.send({ project_ids: [], awaiting_reply_ids: [message_id] }).expect(200)).body.awaiting;
  };

  beforeAll(() => world.open());
  beforeEach(() => world.naming('writes'));
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('is shown to its user, and made when the user has approved it', async () => {
    const { place, pending } = await awaitApproval('Send it?');
    expect(pending).toMatchObject({ name: 'writing', input: { to: 'ben' } });
    const hours = (pending.expires_at * 1_000 - Date.now()) / 3_600_000;
    expect([hours > 23, hours < 25, callsOf(place)]).toEqual([true, true, []]);
    const { conversation_id, message_id } = place;
    const wanted = (await world.service.published()).filter(
      ({ data }) => data['reply_id'] === message_id && data['expires_at'] !== undefined,
    );
    const facts = { conversation_id, reply_id: message_id, user_id: 'ann', bot_id: expect.any(String) };
    expect(wanted.map(({ type, data }) => [type, data])).toEqual([
      ['parlance.inference.approval-wanted.v1', { ...facts, expires_at: expect.any(String) }],
    ]);
    expect(Math.floor(Date.parse(wanted[0]!.data['expires_at'] as string) / 1_000)).toBe(pending.expires_at);
    expect([await waitingFor('ann', place), await waitingFor('ben', place)]).toEqual([{ [message_id]: 'Send it?' }, {}]);
    expect(await world.decide(place, pending.call_id, true)).toEqual({
      status: 200,
      body: { ...placeOf(place), call_id: pending.call_id, approve: true },
    });
    expect(await waitingFor('ann', place)).toEqual({});
    await waitFor(() => callsOf(place).length === 1, { what: 'the call' });
    const [call] = callsOf(place);
    expect([call!.input, call!.context]).toEqual([{ to: 'ben' }, expect.objectContaining({ userId: 'ann', callId: pending.call_id })]);
    call!.answer({ text: 'sent', isError: false });
    const second = await model.call('Send it?', 1);
    expect(resultsIn(second)).toEqual(['2', 'sent']);
    second.say('Done.').end();
    const { message } = await world.finished(place);
    expect(message.content.map(({ content_type }: { content_type: string }) => content_type).join(' ')).toBe(
      'text tool_use tool_use tool_result tool_result text',
    );
    expect(await world.charges(place)).toEqual(['reply-1', 'end']);
    const { tools: recorded, tries } = (await world.get(`${world.pathOf(place)}/provenance`)).body;
    expect([recorded, tries]).toEqual([
      [
        { call_id: expect.any(String), name: 'calculator', hash: expect.any(String), approval: null, status: 'succeeded' },
        {
          call_id: pending.call_id,
          name: 'writing',
          hash: expect.stringMatching(/^[\w-]{43}$/),
          approval: 'approved',
          status: 'succeeded',
        },
      ],
      2,
    ]);
  });
  it('is not made when the tool differs from what the user has approved', async () => {
    const { place, pending } = await awaitApproval('Send that?');
    const { definition } = tools.writing;
    Object.assign(tools.writing, { definition: { ...definition, description: 'Sends it to everybody.' } });
    await world.decide(place, pending.call_id, true);
    const second = await model.call('Send that?', 1);
    Object.assign(tools.writing, { definition });
    expect(resultsIn(second)).toEqual(['2', expect.stringMatching(/^error: The tool or its arguments differ/)]);
    expect(callsOf(place)).toEqual([]);
    second.end();
    await world.finished(place);
  });
  it('is not made when the tool differs, even if the tool changes nothing', async () => {
    world.naming('always');
    const place = await world.ask('Read that?');
    (await model.call('Read that?')).use('reading', {}).await();
    const [pending] = await world.awaiting(place);
    const { definition } = tools.reading;
    Object.assign(tools.reading, { definition: { ...definition, description: 'Reads the mail of everybody.' } });
    await world.decide(place, pending!.call_id, true);
    const second = await model.call('Read that?', 1);
    Object.assign(tools.reading, { definition });
    expect(resultsIn(second)).toEqual([expect.stringMatching(/^error: The tool or its arguments differ/)]);
    expect(tools.reading.calls).toEqual([]);
    second.end();
    await world.finished(place);
  });
  it('is not shown when it cannot be made', async () => {
    const place = await world.ask('Send nothing?');
    (await model.call('Send nothing?')).use('writing', {}, 'The input is not a JSON object.').await();
    const second = await model.call('Send nothing?', 1);
    expect(resultsIn(second)).toEqual(['error: The input is not a JSON object.']);
    second.end();
    await world.finished(place);
  });
  it('is not made when the user has denied it, and the model gets the reason', async () => {
    const { place, pending } = await awaitApproval('Delete it?');
    await world.decide(place, pending.call_id, false);
    const second = await model.call('Delete it?', 1);
    expect(resultsIn(second)).toEqual(['2', expect.stringMatching(/^error: The user did not approve/)]);
    second.end();
    const { message } = await world.finished(place);
    expect([message.content.at(-1).body.status, callsOf(place)]).toEqual(['denied', []]);
  });
  it('is not made when the approval has expired', async () => {
    const { place } = await awaitApproval('Still there?');
    world.service.later(DAY_MILLIS);
    const second = await model.call('Still there?', 1);
    expect(resultsIn(second)[1]).toMatch(/did not approve this call in time/);
    second.end();
    const { message } = await world.finished(place);
    expect([message.content.at(-1).body.status, callsOf(place)]).toEqual(['denied', []]);
  });
  it('is decided once: repeating it changes nothing, and the opposite is refused, even after the end of the reply', async () => {
    const { place, pending } = await awaitApproval('Both?');
    const both = await Promise.all([true, false].map((approve) => world.decide(place, pending.call_id, approve)));
    const won = both.findIndex(({ status }) => status === 200) === 0;
    expect(both.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([200, 'tool_call_decided']);
    const again = async () => [await world.decide(place, pending.call_id, won), await world.decide(place, pending.call_id, !won)];
    const outcomes = [
      [200, undefined],
      [409, 'tool_call_decided'],
    ];
    expect((await again()).map(({ status, body }) => [status, body.code])).toEqual(outcomes);
    if (won) {
      await waitFor(() => callsOf(place).length === 1, { what: 'the call' });
      callsOf(place)[0]!.answer({ text: 'sent', isError: false });
    }
    (await model.call('Both?', 1)).end();
    await world.finished(place);
    expect((await again()).map(({ status, body }) => [status, body.code])).toEqual(outcomes);
    expect(callsOf(place).length).toBe(won ? 1 : 0);
  });
  it('is only for its user', async () => {
    const { place, pending } = await awaitApproval('Mine?');
    const other = await world.decide(place, pending.call_id, true, 'ben');
    expect([other.status, other.body.code]).toEqual([404, 'message_not_found']);
    const unknown = await world.decide(place, '01K0000000000000000000000Z', true);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'tool_call_not_found']);
    await world.decide(place, pending.call_id, false);
    (await model.call('Mine?', 1)).end();
    await world.finished(place);
  });
  it('ends the stream, which continues from the same position once it is decided', async () => {
    const reader = await world.stream('Stream it?');
    (await model.call('Stream it?')).say('First. ').use('writing', {}).await();
    await reader.whole();
    const place = reader.events[0]!.data as Place;
    expect([reader.names, reader.last.data]).toEqual([
      'start delta approval',
      { call_id: expect.any(String), name: 'writing', input: {}, expires_at: expect.any(Number) },
    ]);
    const same = await (await world.resume(place, reader.last.id)).whole();
    expect(same.names).toBe('');
    const whole = await (await world.resume(place)).whole();
    expect([whole.names, whole.text]).toEqual(['start delta approval', 'First. ']);
    await world.decide(place, (reader.last.data as { call_id: string }).call_id, false);
    (await model.call('Stream it?', 1)).say('Then.').end();
    const rest = await (await world.resume(place)).whole();
    expect([rest.names, rest.text]).toEqual(['start delta approval tool delta done', 'First. Then.']);
  });
  it('answers a request that waits for the reply', async () => {
    const asking = world.ask('Wait for it?', { prefer: 'wait=20' });
    (await model.call('Wait for it?')).use('writing', {}).await();
    const { status, tool_calls, ...answer } = await asking;
    expect([status, tool_calls]).toEqual([202, [expect.objectContaining({ name: 'writing' })]]);
    await world.post(`${world.pathOf(answer as unknown as Place)}/cancel`, {});
    expect((await world.finished(answer as unknown as Place)).message.stop_reason).toBe('cancelled');
  });
  it('leaves the reply without a worker: a restart loses nothing, and a cancellation ends it with the text so far', async () => {
    const { place, pending } = await awaitApproval('Cancel it?');
    await world.kill(place);
    expect((await world.awaiting(place)).map(({ call_id }) => call_id)).toEqual([pending.call_id]);
    await world.post(`${world.pathOf(place)}/cancel`, {});
    const { message } = await world.finished(place);
    expect([message.stop_reason, message.content[0], callsOf(place)]).toEqual(['cancelled', { content_type: 'text', body: 'First. ' }, []]);
  });
  it('is not lost with a worker that dies after the approval', async () => {
    const { place, pending } = await awaitApproval('Survive?');
    await world.decide(place, pending.call_id, true);
    await waitFor(() => callsOf(place).length === 1, { what: 'the call' });
    await world.kill(place);
    const second = await model.call('Survive?', 1);
    expect(resultsIn(second)[1]).toMatch(/unknown whether it took effect/);
    expect(callsOf(place).length).toBe(1);
    second.end();
    await world.finished(place);
  });
  it('is removed with its conversation', async () => {
    const { place, pending } = await awaitApproval('Forget it?');
    const path = `/conversation/${place.conversation_id}`;
    const answer = await fetch(`${world.address}${path}`, { method: 'DELETE', headers: world.service.as('ann') });
    expect(((await answer.json()) as { removed_from: string[] }).removed_from).toContain('tool_calls');
    expect((await world.decide(place, pending.call_id, true)).status).toBe(404);
    expect(await world.roundsOf(place)).toEqual([]);
  });
});

const placeOf = ({ conversation_id, message_id }: Place): Place => ({ conversation_id, message_id });
