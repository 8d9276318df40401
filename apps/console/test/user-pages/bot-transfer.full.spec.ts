import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleWorld, expectAccessible, person } from '../console-world.ts';

const TEXT = 'Ferries leave every hour.';

const world = await consoleWorld();
const { bots } = world.parlance;
const botId = (await bots.create({ title: 'Ferries', description: 'Knows the timetable.', instruction: 'Be brief.' })).id;
await bots.upload(botId, 'timetable.txt', 'text/plain', new TextEncoder().encode(TEXT));
await bots.change(botId, { knowledge: { added_filenames: ['timetable.txt'] } });
await bots.synced(botId);

async function choose(page: Page, entry: string): Promise<void> {
  await page.goto(`/app/bots/${botId}/edit`);
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: entry }).click();
}

async function exported(page: Page, entry: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, entry)]);
  return readFile(await download.path());
}

async function openImport(page: Page, file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }) {
  await page.goto('/app/bots');
  await page.getByRole('button', { name: 'Import' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Import a bot' });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByRole('button', { name: 'Choose a file' }).click()]);
  await chooser.setFiles(file);
  return dialog;
}

const idOf = (page: Page) => /\/bots\/(\w{26})\//.exec(page.url())![1]!;

describe('a bot', () => {
  it('is duplicated with its files', async () => {
    const { page, reported } = await world.openSignedIn();
    await choose(page, 'Duplicate');
    const dialog = page.getByRole('dialog', { name: 'Duplicate the bot' });
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Ferries (copy)');
    await expectAccessible(page);
    await dialog.getByLabel('Title').fill('Ferries of the north');
    await dialog.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ferries of the north' }).waitFor();
    expect(idOf(page)).not.toBe(botId);
    expect((await world.parlance.bots.getPrivate(idOf(page))).knowledge.filenames).toEqual(['timetable.txt']);
    expect(reported).toEqual([]);
  });

  it('is exported as YAML and imported, after its user has seen the left-out parts', async () => {
    const { page } = await world.openSignedIn();
    const yaml = (await exported(page, 'Export as YAML')).toString();
    expect(yaml).toContain('Be brief.');
    const dialog = await openImport(page, { name: 'bot.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) });
    await dialog.getByText('“Ferries” can be imported').waitFor();
    // The archive does not contain them.
    await dialog.getByRole('region', { name: 'What the new bot does not get' }).getByText('timetable.txt').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the bot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ferries' }).waitFor();
    await page.waitForURL(/\/bots\/\w{26}\/edit/);
    const { instruction, knowledge } = await world.parlance.bots.getPrivate(idOf(page));
    expect([instruction, knowledge.filenames]).toEqual(['Be brief.', []]);
  });

  it('is exported with its files and imported with them', async () => {
    const { page } = await world.openSignedIn();
    const buffer = await exported(page, 'Export with files (ZIP)');
    const dialog = await openImport(page, { name: 'ferries', mimeType: '', buffer });
    await dialog.getByText('With 1 file.').waitFor();
    await dialog.getByText('Everything in the file is imported.').waitFor();
    await dialog.getByRole('button', { name: 'Create the bot' }).click();
    await page.waitForURL(/\/bots\/\w{26}\/edit/);
    expect((await world.parlance.bots.getPrivate(idOf(page))).knowledge.filenames).toEqual(['timetable.txt']);
  });

  it('is not imported from an invalid text, and another file can be chosen', async () => {
    const { page } = await world.openSignedIn();
    const dialog = await openImport(page, { name: 'bot.yaml', mimeType: 'application/yaml', buffer: Buffer.from('title: [') });
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create the bot' }).isDisabled()).toBe(true);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose another file' }).click(),
    ]);
    await chooser.setFiles({ name: 'large', mimeType: '', buffer: Buffer.alloc(2 * 1024 * 1024 + 1, 'a') });
    await dialog.getByText('The limit for the YAML of a bot is 2 MiB.').waitFor();
    await expectAccessible(page);
  });

  it('has no import for users who may not create bots', async () => {
    const kim = await person(world, 'kim');
    await world.parlance.admin.removeFromGroup(kim.userId, 'CreatingBotAllowed');
    const { page } = await world.openAs(kim, '/app/bots');
    await page.getByText('You have no bot').first().waitFor();
    expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0);
  });
});
