import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, oneProcess, type Product, waitFor, watch } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { answered, guideFiles, GuideReader, madeOnce } from './guide-story.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const withGuide = { ...environment, PARLANCE_GUIDE_BOT: 'true' };

/** Common first questions, each with the words that a correct answer quotes, and the file of the words. */
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

/** Starts the product on a directory, and kills it when the condition is true. */
async function killedWhen(directory: string, isTime: () => boolean): Promise<void> {
  const env = { ...process.env, ...withGuide, PARLANCE_DATA_DIR: join(directory, 'data'), PARLANCE_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [main, 'start'], { env, cwd: directory, stdio: 'ignore' });
  const unwatch = watch(child.pid!);
  const ended = once(child, 'exit');
  await waitFor(isTime, { what: 'the moment of the kill' });
  child.kill('SIGKILL');
  await ended;
  unwatch();
}

function filesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

describe('the guide of a new installation', () => {
  let directory: string;
  let product: Product;
  const admins = new GuideReader(() => product.url);
  let botId: string;
  /** The number of uploaded files of bots. */
  const files = () => filesIn(join(directory, 'data/objects/knowledge'));
  /** The number of index files of knowledge. The product begins the first index when the bot is saved. */
  const indexes = () => filesIn(join(directory, 'data/knowledge'));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-guide-'));
    for (const count of [1, 4, guideFiles.length]) await killedWhen(directory, () => files() >= count);
    await killedWhen(directory, () => indexes() > 0);
    product = await oneProcess(withGuide, { directory });
    // The product may still be reading the files of the guide.
    await product.kill();
    await product.restart();
    await admins.signIn(admin);
  });
  afterAll(async () => {
    await product?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  });

  it('is created once, although the product is killed while it creates the guide', async () => {
    botId = await admins.guide();
    const { body } = await admins.ask('GET', `/bot/private/${botId}`);
    expect(body).toMatchObject({
      status: 'pinned@999',
      shared_scope: 'all',
      default_model: 'local-extractive',
      active_models: ['local-extractive'],
      display_retrieved_chunks: true,
    });
    expect(body.knowledge.filenames.toSorted()).toEqual(guideFiles);
    expect((await admins.ask('GET', '/bot?kind=private')).body.bots).toHaveLength(1);
    expect(files()).toBe(guideFiles.length);
    await waitFor(async () => (await admins.auditActions(botId))['pin'] === 1, { what: 'the audit entries' });
    expect(await admins.auditActions(botId)).toMatchObject(madeOnce);
  });
  it('answers its quick starters with the right passages, even for another user', async () => {
    const ben = { email: 'ben@example.org', password: 'correct horse battery' };
    await admins.ask('POST', '/auth/sign-up', { ...ben, first_name: 'Ben', last_name: 'Bell' });
    const reader = new GuideReader(() => product.url);
    await reader.signIn(ben);
    expect(await reader.guide()).toBe(botId);
    expect(await reader.tryStarters(botId)).toEqual(answered);
  });
  it.each(QUESTIONS)('answers %j with the words %j, and cites %s', async (question, words, file) => {
    const { quoted, cited } = await admins.answerTo(botId, question);
    expect([quoted.find((text) => text.includes(words)) ?? quoted, cited]).toEqual([
      expect.stringContaining(words),
      expect.arrayContaining([file]),
    ]);
  });
  it('is not created again after an administrator has deleted it', async () => {
    expect((await admins.ask('PATCH', `/admin/bot/${botId}/pushed`, { to_pinned: false })).status).toBe(200);
    expect((await admins.ask('DELETE', `/bot/${botId}`)).status).toBe(204);
    await product.restart();
    // Events are delivered in order, so the effect of this event shows that the deliveries of the start are over.
    const cat = { email: 'cat@example.org', password: 'correct horse battery', first_name: 'Cat', last_name: 'Cole', groups: ['Admin'] };
    expect((await admins.ask('POST', '/admin/users', cat)).status).toBe(201);
    await waitFor(async () => (await admins.ask('GET', '/admin/audit-logs?action_type=register_user')).body.audit_logs.length === 3, {
      what: 'the entry of the second Admin',
    });
    expect((await admins.ask('GET', '/bot/pinned')).body.bots).toEqual([]);
    expect((await admins.ask('GET', '/bot?kind=mixed')).body.bots).toEqual([]);
    expect((await admins.ask('GET', `/bot/${botId}`)).status).toBe(404);
    await waitFor(() => files() === 0, { what: 'its files to be removed' });
  });
});
