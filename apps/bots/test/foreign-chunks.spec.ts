import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parlance/event-store';
import { BotsUnderTest } from './bots-under-test.ts';
import { KnowledgeUnderTest } from './knowledge-under-test.ts';

/** The requirement is 1,000 bots and 100 queries: `FOREIGN_BOTS=1000 FOREIGN_QUERIES=100`. */
const BOTS = Number(process.env['FOREIGN_BOTS'] ?? 30);
const QUERIES = Number(process.env['FOREIGN_QUERIES'] ?? 20);

const bots = await BotsUnderTest.start();
const knowledge = new KnowledgeUnderTest(bots);
afterAll(() => bots.stop());

describe('searches while bots are read again', () => {
  it('find only chunks of their own bot, and always some', async () => {
    const all = Array.from({ length: BOTS }, () => ({ id: newId(), owner: newId(), saves: 0 }));
    const save = async (bot: (typeof all)[number]) => {
      bot.saves++;
      await knowledge.upload(bot.owner, bot.id, 'words.txt', `The common word and ${bot.id}, version ${bot.saves}.`);
      const body = { knowledge: { filenames: ['words.txt'] } };
      if (bot.saves === 1) await bots.create(bot.owner, { id: bot.id, ...body });
      else await knowledge.save(bot.owner, bot.id, body);
    };
    for (const bot of all) await save(bot);
    for (const { owner, id } of all) await knowledge.settled(owner, id);

    let searches = 0;
    const wrong: string[] = [];
    const search = async ({ id, owner }: (typeof all)[number]) => {
      const { status, body } = await knowledge.retrieve(owner, id, 'The common word');
      searches++;
      if (status !== 200 || body.chunks.length !== 1) wrong.push(`${id}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
      else if (!body.chunks[0].content.includes(id)) wrong.push(`${id}: ${body.chunks[0].content}`);
    };
    for (let query = 0; query < QUERIES; query++) {
      // Every tenth bot is saved again in each round, so that runs are in progress all the time.
      for (const [index, bot] of all.entries()) if (index % 10 === query % 10) await save(bot);
      for (let from = 0; from < all.length; from += 20) await Promise.all(all.slice(from, from + 20).map(search));
    }
    expect([wrong.slice(0, 5), searches]).toEqual([[], BOTS * QUERIES]);
    for (const { owner, id } of all) await knowledge.settled(owner, id);
  });
});
