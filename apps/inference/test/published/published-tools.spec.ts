import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { EventReader } from '../event-reader.ts';
import { firstApi, message } from './published-world.ts';
import { type Place, ToolWorld } from '../tool-world.ts';

const { resultsIn } = ToolWorld;

describe('tools of a published bot', () => {
  const world = new ToolWorld();
  const { model, tools } = world;
  const path = `/published/${firstApi.apiId}/api/conversation`;
  const headers = () => ({ ...world.service.asApi('ann', firstApi), 'content-type': 'application/json' });
  const posting = (text: string) => ({ method: 'POST', headers: headers(), body: JSON.stringify({ message: message(text) }) });
  const ask = async (text: string) => (await (await fetch(`${world.address}${path}`, posting(text))).json()) as Place;
  const read = ({ conversation_id, message_id }: Place) =>
    fetch(`${world.address}${path}/${conversation_id}/${message_id}`, { headers: headers() });
  const finished = async (place: Place) => {
    await waitFor(async () => (await read(place)).status === 200, { what: 'the reply' });
    // The answers of endpoints are under test, so they are not typed.
    return (await (await read(place)).json()) as any; // oxlint-disable-line no-explicit-any
  };

  beforeAll(async () => {
    await world.open();
    world.naming('writes');
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('are called when they need no approval, on behalf of the API', async () => {
    const place = await ask('Read it?');
    (await model.call('Read it?')).use('reading', { page: 1 }).await();
    await waitFor(() => tools.reading.calls.length === 1, { what: 'the call' });
    expect(tools.reading.calls[0]!.context).toMatchObject({ userId: 'ann', apiId: firstApi.apiId, botId: firstApi.botId });
    tools.reading.calls[0]!.answer({ text: 'a page', isError: false });
    (await model.call('Read it?', 1)).say('Done.').end();
    expect((await finished(place)).message.content.at(-1).body).toBe('Done.');
  });

  it('are refused to the model at once when they need an approval, and the reply continues', async () => {
    const reader = await EventReader.open(`${world.address}${path}`, {
      ...posting('Send it?'),
      headers: { ...headers(), accept: 'text/event-stream' },
    });
    (await model.call('Send it?')).use('writing', { to: 'ben' }).use('calculator', { expression: '1+1' }).await();
    const second = await model.call('Send it?', 1);
    expect(resultsIn(second)).toEqual([expect.stringContaining('error: This call needs the approval of a user'), '2']);
    second.say('Not sent.').end();
    await reader.whole();
    expect([reader.names.includes('approval'), reader.last.event, tools.writing.calls]).toEqual([false, 'done', []]);
    const { message: answered } = await finished(reader.events[0]!.data as Place);
    const results = answered.content.filter((part: { content_type: string }) => part.content_type === 'tool_result');
    expect(results.map(({ body }: { body: { status: string } }) => body.status)).toEqual(['denied', 'succeeded']);
  });

  it('are refused by another worker too, when the first one has died', async () => {
    const place = await ask('Again?');
    (await model.call('Again?')).use('reading', {}).use('writing', { to: 'ben' }).await();
    await waitFor(() => tools.reading.calls.length === 2, { what: 'the call' });
    await world.kill(place);
    await waitFor(() => tools.reading.calls.length === 3, { what: 'the call by the other worker' });
    expect(tools.reading.calls[2]!.context.apiId).toBe(firstApi.apiId);
    tools.reading.calls[2]!.answer({ text: 'a page', isError: false });
    const second = await model.call('Again?', 1);
    expect(resultsIn(second).join()).toContain('needs the approval of a user');
    second.say('Done.').end();
    await finished(place);
    expect(tools.writing.calls).toEqual([]);
  });
});
