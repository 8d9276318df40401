import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ToolWorld } from './tool-world.ts';

const { resultsIn } = ToolWorld;

describe('a model that searches the knowledge of its bot', () => {
  const world = new ToolWorld();
  const { model, bots } = world;
  const refunds = { content: 'A refund takes fourteen days.', source_id: 'refunds' };
  const dogs = { content: 'Dogs are welcome on Fridays.', source_id: 'dogs' };
  const cats = { content: 'Cats stay at home.', source_id: 'cats' };
  const finding = (...found: (typeof refunds)[]) => (bots.chunks = found);
  const ranksIn = ({ prompt }: Awaited<ReturnType<typeof model.call>>) =>
    prompt.knowledge!.chunks.map(({ rank, source_id }) => `${rank} ${source_id}`);

  beforeAll(() => world.open());
  beforeEach(() => {
    bots.hasKnowledge = true;
    finding(refunds);
  });
  afterAll(async () => {
    await world.service.stop();
    jest.restoreAllMocks();
  });

  it('gets the results, numbered after those of the question, and can cite them', async () => {
    const place = await world.ask('Pets?');
    const first = await model.call('Pets?');
    finding(dogs, refunds, cats);
    first.use('knowledge_search', { query: 'animals' }).await();
    const second = await model.call('Pets?', 1);
    expect(bots.searches.at(-1)!.query).toBe('animals');
    expect([resultsIn(second), ranksIn(second)]).toEqual([
      ['Found: the texts with the numbers 2, 1, 3 in your instructions.'],
      ['1 refunds', '2 dogs', '3 cats'],
    ]);
    second.say('On Fridays [^2], but no cats [^3], and no birds [^4].').end();
    const { message } = await world.finished(place);
    expect(message.content.at(-1).body).toBe('On Fridays [^2], but no cats [^3], and no birds.');
    expect(message.used_chunks.map(({ rank, source_id }: { rank: number; source_id: string }) => [rank, source_id])).toEqual([
      [1, 'refunds'],
      [2, 'dogs'],
      [3, 'cats'],
    ]);
    const { chunks } = (await world.get(`${world.pathOf(place)}/provenance`)).body;
    expect(chunks.map(({ rank, id }: { rank: number; id: string }) => `${rank} ${id}`)).toEqual(['1 refunds-1', '2 dogs-1', '3 cats-3']);
  });
  it('keeps the numbers when another worker takes the reply, even if the bot finds other texts for the question', async () => {
    const place = await world.ask('Money?');
    const first = await model.call('Money?');
    finding(dogs);
    first.say('In fourteen days [^1]. ').use('knowledge_search', { query: 'dogs' }).await();
    const lost = await model.call('Money?', 1);
    finding(cats, dogs);
    await world.kill(place);
    await waitFor(() => model.calls.at(-1) !== lost, { what: 'the next worker to ask the model' });
    const second = await model.call('Money?', 1);
    expect(ranksIn(second)).toEqual(['1 refunds', '2 dogs']);
    second.say('Bring the dog [^2].').end();
    const { message } = await world.finished(place);
    expect(message.used_chunks.map(({ source_id }: { source_id: string }) => source_id)).toEqual(['refunds', 'dogs']);
  });
  it('pays for the vector of each search once', async () => {
    const settings = bots.settings;
    const place = await world.ask('Cost?');
    const first = await model.call('Cost?');
    bots.settings = { ...settings, embedding: { model: 'local-extractive', tokens: 3, estimated: false } };
    first.use('knowledge_search', { query: 'cost' }).await();
    (await model.call('Cost?', 1)).end();
    await world.finished(place);
    bots.settings = settings;
    const charges = await world.charges(place);
    expect(charges).toEqual(['reply-1', expect.stringMatching(/^\w{26}-embedding$/), 'end']);
  });
  it('gets the reason when nothing can be searched', async () => {
    const place = await world.ask('Where?');
    const first = await model.call('Where?');
    bots.hasKnowledge = false;
    first.use('knowledge_search', { query: 'x' }).use('knowledge_search', {}).await();
    const second = await model.call('Where?', 1);
    expect(resultsIn(second)).toEqual(['error: This bot has no knowledge.', 'error: The argument `query` must be a text.']);
    second.end();
    await world.finished(place);
  });
});
