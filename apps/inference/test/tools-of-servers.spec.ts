import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ConnectedTools, connectedTools } from './connected-tools.ts';
import { ToolWorld } from './tool-world.ts';

const { resultsIn } = ToolWorld;

describe('a reply of a bot with tools of another server', () => {
  const world = new ToolWorld();
  const { model } = world;
  let there: ConnectedTools;
  const connect = async () => {
    const begun = await world.post('/user/me/tool-connections/docs/authorize', {});
    const { searchParams } = await there.authorization.authorize(begun.body.authorize_url, 'ann');
    const { code, state, iss } = Object.fromEntries(searchParams);
    expect((await world.post('/user/me/tool-connections/docs/complete', { code, state, iss })).status).toBe(200);
  };

  beforeAll(async () => {
    there = await connectedTools();
    await world.open(there.settings);
  });
  beforeEach(() => {
    world.bots.settings = { tools: [{ name: 'docs__*', approval: 'never' }], owner_user_id: 'ann', configured_by: 'ann' };
  });
  afterAll(async () => {
    await world.service.stop();
    await there.stop();
    jest.restoreAllMocks();
  });

  it('informs the model and the user that the user has to connect the server', async () => {
    const reader = await world.stream('Who am I?');
    const first = await model.call('Who am I?');
    expect(first.prompt.tools!.map(({ name }) => name)).toEqual(['docs__whoami']);
    first.use('docs__whoami', {}).await();
    const second = await model.call('Who am I?', 1);
    expect(resultsIn(second)).toEqual([expect.stringMatching(/^error: connection_required: docs\./)]);
    second.say('Please connect docs.').end();
    await reader.whole();
    const shown = reader.events.filter(({ event }) => event === 'tool').map(({ data }) => data);
    expect(shown).toEqual([
      expect.objectContaining({ name: 'docs__whoami', status: 'running' }),
      expect.objectContaining({ status: 'failed', result: expect.stringMatching(/^connection_required: docs\./) }),
    ]);
  });

  it('calls them with the account of the user', async () => {
    await connect();
    const place = await world.ask('And now?');
    (await model.call('And now?')).use('docs__whoami', {}).await();
    const second = await model.call('And now?', 1);
    expect(resultsIn(second)).toEqual(['It is you.']);
    second.say('You are Ann.').end();
    await world.finished(place);
  });

  it('asks for approval of a tool that may write, and calls it once', async () => {
    world.bots.settings = { tools: [{ name: 'docs__whoami', approval: 'writes' }] };
    const calls = () => there.tools.asked.filter((each) => each === 'call whoami').length;
    const before = calls();
    const place = await world.ask('May I?');
    (await model.call('May I?')).use('docs__whoami', {}).await();
    const [call] = await world.awaiting(place);
    expect([call!.name, calls() - before]).toEqual(['docs__whoami', 0]);
    expect((await world.decide(place, call!.call_id, true)).status).toBe(200);
    (await model.call('May I?', 1)).say('Done.').end();
    await world.finished(place);
    expect(calls() - before).toBe(1);
  });

  it('continues when the server can no longer be reached', async () => {
    await there.tools.stop();
    const place = await world.ask('Still there?');
    (await model.call('Still there?')).use('docs__whoami', {}).await();
    const second = await model.call('Still there?', 1);
    expect(resultsIn(second)).toEqual([expect.stringMatching(/^error: The call of docs failed\./)]);
    second.say('It is away.').end();
    await world.finished(place);
  });
});
