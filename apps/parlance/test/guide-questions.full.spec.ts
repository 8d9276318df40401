import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, type Product } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { GuideReader } from './guide-story.ts';

/** What people ask at first, with the words that a right answer quotes, and the file that they are in. */
const QUESTIONS: readonly (readonly [question: string, words: string, file: string])[] = [
  ['How do I make a bot?', 'press "New bot" on the page "Bots"', 'your-own-bot.md'],
  ['How do I publish a bot?', 'open its page "Publish"', 'bots-as-apis.md'],
  ['How can I share a bot with my team?', 'press "Share" at the top of its page', 'your-own-bot.md'],
  ['How do I add files to a bot?', 'drop the files there or press "Choose files"', 'files-and-knowledge.md'],
  ['How do I connect a model?', 'opens the page "Connect a model"', 'connect-a-model.md'],
  ['How do I set a budget?', 'opens the page "Budgets" of "Administration"', 'cost-and-audit.md'],
  ['Where do I see the cost?', 'the page "Costs" of "Administration"', 'cost-and-audit.md'],
  ['How do I create an API key?', 'use the button "New key"', 'bots-as-apis.md'],
  ['How do I add a user?', 'presses "Create a user"', 'users-and-access.md'],
  ['How do I reset the password of a user?', 'presses "Reset the password"', 'users-and-access.md'],
  ['How do I delete a bot?', '"Delete the bot"', 'your-own-bot.md'],
  ['How do I make a backup?', '`parlance backup`', 'running-parlance.md'],
];

describe('the guide', () => {
  let product: Product;
  let botId: string;
  const reader = new GuideReader(() => product.url);
  beforeAll(async () => {
    product = await oneProcess({ ...environment, PARLANCE_GUIDE_BOT: 'true' });
    await reader.signIn(admin);
    botId = await reader.guide();
  });
  afterAll(() => product?.stop());

  it.each(QUESTIONS)('answers %j with the words %j, and cites %s', async (question, words, file) => {
    const { quoted, cited } = await reader.answerTo(botId, question);
    expect([quoted.find((text) => text.includes(words)) ?? quoted, cited]).toEqual([
      expect.stringContaining(words),
      expect.arrayContaining([file]),
    ]);
  });
});
