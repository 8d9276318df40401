import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { type Place, ToolWorld } from './tool-world.ts';

const { resultsIn } = ToolWorld;

type Part = Record<'content', string> & Record<'input', object>;
const partsOf = ({ message }: { message: { content: { content_type: string; body: Part }[] } }, type: string): Part[] =>
  message.content.filter(({ content_type }) => content_type === type).map(({ body }) => body);

describe('a reply of a bot with tools', () => {
  const world = new ToolWorld();
  const { model, tools } = world;

  beforeAll(() => world.open());
  beforeEach(() => {
    world.naming('never');
    tools.isAway = false;
    Object.assign(tools.writing, { writes: true });
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('offers the tools to the model, and passes it their results', async () => {
    const place = await world.ask('How much?');
    const first = await model.call('How much?');
    expect(first.prompt.tools!.map(({ name }) => name)).toEqual(['calculator', 'knowledge_search', 'reading', 'writing']);
    first.say('Let me see. ').use('calculator', { expression: '6*7' }).use('calculator', { expression: '1/0' }).await();
    const second = await model.call('How much?', 1);
    expect(resultsIn(second)).toEqual(['42', 'error: A division by zero has no value.']);
    second.say('It is 42.').end();
    const { message } = await world.finished(place);
    const calls = message.content.filter((part: { content_type: string }) => part.content_type === 'tool_use');
    const ids = calls.map(({ body }: { body: { tool_use_id: string } }) => body.tool_use_id);
    expect(message.content).toEqual([
      { content_type: 'text', body: 'Let me see. ' },
      { content_type: 'tool_use', body: { tool_use_id: ids[0], name: 'calculator', input: { expression: '6*7' } } },
      { content_type: 'tool_use', body: { tool_use_id: ids[1], name: 'calculator', input: { expression: '1/0' } } },
      { content_type: 'tool_result', body: { tool_use_id: ids[0], name: 'calculator', status: 'succeeded', content: '42' } },
      expect.objectContaining({ content_type: 'tool_result', body: expect.objectContaining({ tool_use_id: ids[1], status: 'failed' }) }),
      { content_type: 'text', body: 'It is 42.' },
    ]);
    expect(await world.charges(place)).toEqual(['reply-1', 'end']);
  });
  it('finds tools for its user, the owner of the bot, and the user who configured it', async () => {
    world.bots.settings = { ...world.bots.settings, owner_user_id: 'bob', configured_by: 'eve' };
    const place = await world.ask('For whom?');
    (await model.call('For whom?')).say('For ann.').end();
    await world.finished(place);
    expect(tools.users.at(-1)).toEqual({ userId: 'ann', ownerId: 'bob', configuredBy: 'eve' });
    // From a replica of an earlier release.
    world.naming('never');
    await world.finished(await world.ask('Still?').then(async (reply) => ((await model.call('Still?')).say('Yes.').end(), reply)));
    expect(tools.users.at(-1)).toEqual({ userId: 'ann', ownerId: null, configuredBy: null });
  });
  it('streams its calls and their results, and is resumed between them', async () => {
    const reader = await world.stream('Which?');
    (await model.call('Which?')).say('One. ').use('reading', { of: 'it' }).await();
    await reader.until('the call', () => reader.names.includes('tool'));
    const place = reader.events[0]!.data as Place;
    const at = reader.last.id;
    tools.reading.calls.at(-1)!.answer({ text: 'found', isError: false });
    (await model.call('Which?', 1)).say('Two.').end();
    await reader.whole();
    expect([reader.names, reader.text]).toEqual(['start delta tool tool delta done', 'One. Two.']);
    const [running, succeeded] = reader.events.filter(({ event }) => event === 'tool').map(({ data }) => data);
    expect(running).toEqual({ call_id: expect.any(String), name: 'reading', input: { of: 'it' }, status: 'running' });
    expect(succeeded).toEqual({ ...running, status: 'succeeded', result: 'found' });
    expect(reader.last.data).toMatchObject({ usage: { input_tokens: 14, output_tokens: 6 } });
    const rest = await (await world.resume(place, at)).whole();
    expect([rest.names, rest.text]).toEqual(['tool delta done', 'Two.']);
    const whole = await (await world.resume(place)).whole();
    expect(whole.events.slice(1)).toEqual(reader.events.slice(1));
  });
  it('informs the model of calls that cannot be made', async () => {
    const place = await world.ask('Why?');
    (await model.call('Why?')).use('none', {}).use('reading', {}, 'The input is not a JSON object.').use('reading', {}).await();
    await waitFor(() => tools.reading.calls.at(-1)?.context.conversationId === place.conversation_id, { what: 'the call' });
    tools.reading.calls.at(-1)!.fail(new Error('ECONNRESET 10.0.0.1'));
    const second = await model.call('Why?', 1);
    expect(resultsIn(second)).toEqual([
      'error: The tool none is not available. Continue without it.',
      'error: The input is not a JSON object.',
      'error: The tool failed.',
    ]);
    second.end();
    await world.finished(place);
  });
  it('keeps a name that the model invented sealed, because it may contain text of the user', async () => {
    const madeUp = 'call Ann Smith about her illness';
    const place = await world.ask('Whom?');
    (await model.call('Whom?')).use(madeUp, {}).await();
    const second = await model.call('Whom?', 1);
    expect(resultsIn(second)).toEqual([`error: The tool ${madeUp} is not available. Continue without it.`]);
    second.end();
    await world.finished(place);
    const rounds = await world.roundsOf(place);
    expect(rounds[0]!.calls[0]!.name).toBe('unknown_tool');
    expect(JSON.stringify(rounds)).not.toContain(madeUp);
  });
  it('lets the model reason only before its first calls', async () => {
    const place = await world.ask('Think?', {}, { enable_reasoning: true });
    const first = await model.call('Think?');
    first.use('calculator', { expression: '1' }).await();
    const second = await model.call('Think?', 1);
    second.end();
    await world.finished(place);
    expect([first, second].map(({ prompt }) => prompt.parameters.reasoningTokens)).toEqual([expect.any(Number), null]);
  });
  it('limits the results of all its calls together', async () => {
    const place = await world.ask('All of it?');
    const first = await model.call('All of it?');
    for (let index = 0; index < 9; index++) first.use('reading', { index });
    first.await();
    const its = () => tools.reading.calls.filter(({ context }) => context.conversationId === place.conversation_id);
    await waitFor(() => its().length === 9, { what: 'the calls' });
    for (const call of its()) call.answer({ text: 'x'.repeat(65_536), isError: false });
    (await model.call('All of it?', 1)).end();
    const results = partsOf(await world.finished(place), 'tool_result').map(({ content }) => content.length);
    expect(results.filter((each) => each === 65_536)).toHaveLength(8);
    expect(Math.min(...results)).toBeLessThan(100);
  });
  it('limits the inputs of all its calls together, and informs the model', async () => {
    const place = await world.ask('So much?');
    const first = await model.call('So much?');
    for (let index = 0; index < 9; index++) first.use('none', { text: 'x'.repeat(60_000) });
    first.await();
    const second = await model.call('So much?', 1);
    expect(resultsIn(second).map((each) => each.includes('too long'))).toEqual([...Array(8).fill(false), true]);
    second.end();
    expect(partsOf(await world.finished(place), 'tool_use').at(-1)!.input).toEqual({});
  });
  it('may have the tools that the global configuration lists', async () => {
    const { tools: listed } = (await world.get('/config/global')).body;
    expect(listed).toContainEqual({ name: 'calculator', description: expect.stringMatching(/exactly/), writes: false });
  });
  it('continues without the tools of an unavailable source', async () => {
    tools.isAway = true;
    const place = await world.ask('Still?');
    const call = await model.call('Still?');
    expect(call.prompt.tools!.map(({ name }) => name)).toEqual(['calculator', 'knowledge_search']);
    call.end();
    await world.finished(place);
  });
  it('ends when the model keeps calling tools', async () => {
    const place = await world.ask('Again?');
    for (let round = 0; round < 11; round++) (await model.call('Again?', round)).use('calculator', { expression: `${round}` }).await();
    const { message } = await world.finished(place);
    expect(message.stop_reason).toBe('max_tool_rounds');
    expect(resultsIn(await model.call('Again?', 10))[0]).toMatch(/^9\n\nNo more tools/);
    expect((await world.charges(place)).length).toBe(11);
  });
  it('ends at once when it is cancelled while a tool runs, and pays nothing twice', async () => {
    const place = await world.ask('Enough?');
    (await model.call('Enough?')).say('Begin. ').use('reading', {}).await();
    await waitFor(() => tools.reading.calls.at(-1)?.context.conversationId === place.conversation_id, { what: 'the call' });
    await world.post(`${world.pathOf(place)}/cancel`, {});
    const { message } = await world.finished(place);
    expect(tools.reading.calls.at(-1)!.signal.aborted).toBe(true);
    expect([message.stop_reason, message.content[0]]).toEqual(['cancelled', { content_type: 'text', body: 'Begin. ' }]);
    expect(await world.charges(place)).toEqual(['reply-1', 'end']);
  });

  describe('whose worker dies', () => {
    it('while a tool runs: a call that changes nothing is repeated, and the model call is not', async () => {
      const place = await world.ask('Where?');
      (await model.call('Where?')).say('Over ').use('reading', { of: 'place' }).await();
      const isCalled = () => tools.reading.calls.filter(({ context }) => context.conversationId === place.conversation_id);
      await waitFor(() => isCalled().length === 1, { what: 'the call' });
      await world.kill(place);
      await waitFor(() => isCalled().length === 2, { what: 'the call of the next worker' });
      const [one, two] = isCalled();
      expect([two!.input, two!.context.callId]).toEqual([{ of: 'place' }, one!.context.callId]);
      one!.answer({ text: 'late', isError: false });
      two!.answer({ text: 'there', isError: false });
      const second = await model.call('Where?', 1);
      expect(resultsIn(second)).toEqual(['there']);
      second.say('there.').end();
      const { message } = await world.finished(place);
      expect(message.content.filter(({ content_type }: { content_type: string }) => content_type === 'text')).toEqual([
        { content_type: 'text', body: 'Over ' },
        { content_type: 'text', body: 'there.' },
      ]);
      expect(await world.charges(place)).toEqual(['reply-1', 'end']);
    });
    it.each([
      ['', () => undefined],
      [', even if its server is unavailable by then', () => void (tools.isAway = true)],
      [', even if it is declared as changing nothing by then', () => void Object.assign(tools.writing, { writes: false })],
    ])('while a tool runs that may change something: it is not repeated, and the model gets the reason%s', async (condition, change) => {
      const question = `Do it${condition}?`;
      const place = await world.ask(question);
      (await model.call(question)).use('writing', {}).await();
      await waitFor(() => tools.writing.calls.at(-1)?.context.conversationId === place.conversation_id, { what: 'the call' });
      const { length } = tools.writing.calls;
      change();
      await world.kill(place);
      const second = await model.call(question, 1);
      expect(resultsIn(second)).toEqual([expect.stringMatching(/^error: .*unknown whether it took effect/)]);
      expect(tools.writing.calls.length).toBe(length);
      second.end();
      await world.finished(place);
    });
    it('while it continues a reply: the earlier text still comes first', async () => {
      const earlier = await world.ask('Tell?');
      (await model.call('Tell?')).say('Once ').end();
      await world.finished(earlier);
      const { length } = model.calls;
      const { conversation_id } = earlier;
      const place = await world.ask('', {}, { conversation_id, message: { content: [] }, continue_generate: true });
      await waitFor(() => model.calls.length > length, { what: 'the model to be called' });
      model.calls.at(-1)!.say('upon ').use('calculator', { expression: '1' }).await();
      await waitFor(() => model.calls.length > length + 1, { what: 'the next round' });
      await world.kill(place);
      await waitFor(() => model.calls.length > length + 2, { what: 'the next worker to ask the model' });
      model.calls.at(-1)!.say('a time.').end();
      const texts = ({ message }: { message: { content: { body: unknown }[] } }) =>
        message.content.map(({ body }) => body).filter((body) => typeof body === 'string');
      expect(texts(await world.finished(place)).join('')).toBe('Once upon a time.');
    });
    it('after the results: they are not requested again', async () => {
      const place = await world.ask('How far?');
      (await model.call('How far?')).use('calculator', { expression: '2+3' }).await();
      const lost = await model.call('How far?', 1);
      await world.kill(place);
      await waitFor(() => model.calls.at(-1) !== lost, { what: 'the next worker to ask the model' });
      const second = await model.call('How far?', 1);
      expect(resultsIn(second)).toEqual(['5']);
      second.say('Five.').end();
      expect((await world.finished(place)).message.content.at(-1)).toEqual({ content_type: 'text', body: 'Five.' });
      expect(await world.charges(place)).toEqual(['reply-1', 'end']);
    });
  });
});
