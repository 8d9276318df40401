import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';

const CLOCK = new URL('../../../../faults/scenarios/shifted-clock.mjs', import.meta.url).href;
const HOURS = 2;
const QUESTIONS = 3;

describe('the page of exports', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    // The conversations are a few hours old, so that their hour is over.
    process.env['FAULTS_SHIFT'] = String(-HOURS * 60 * 60 * 1_000);
    world = await consoleWorld({ NODE_OPTIONS: `--import=${CLOCK}` }, { isOwn: true }).finally(() => delete process.env['FAULTS_SHIFT']);
    for (let index = 0; index < QUESTIONS; index++)
      await world.parlance.conversations.ask({ message: { content: [{ content_type: 'text', body: `Question ${index}` }] } });
    await world.product.restart();
    await world.parlance.signIn(world.admin.email, world.admin.password);
    const written = async () => {
      const { exports } = await world.parlance.api.get('/admin/exports', { query: { kind: 'hour' } });
      return exports.reduce((rows, each) => rows + (each.rows ?? 0), 0) === QUESTIONS;
    };
    await waitFor(written, { what: 'the export of the hour' });
    ({ page, reported } = await world.openSignedIn());
  });

  const run = async (sql: string) => {
    const editor = page.getByRole('textbox', { name: 'SQL statement' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.type(sql);
    await page.keyboard.press('ControlOrMeta+Enter');
  };
  const result = () => page.getByRole('region', { name: 'Result' });

  it('shows the rows of a query with their columns, and a chart', async () => {
    await page.goto('/app/admin/exports');
    await run('SELECT SK AS chat, length(MessageMap) AS size FROM parlance_conversations ORDER BY 1');
    await page.getByText(`Result: ${QUESTIONS} rows`).waitFor();
    expect(await result().getByRole('columnheader').allInnerTexts()).toEqual(['chat', 'size']);
    expect(
      await result()
        .getByRole('cell', { name: /#CONV#/ })
        .count(),
    ).toBe(QUESTIONS);
    await page.getByText('Chart: size by chat').waitFor();
    await expectAccessible(page);
  });

  it('saves the rows as CSV', async () => {
    await run('SELECT BotId, count(*) AS n FROM parlance_conversations GROUP BY 1');
    await result().getByRole('columnheader', { name: 'BotId' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the result as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('query.csv');
    expect(await readFile(await download.path(), 'utf8')).toMatch(new RegExp(`^\\W*BotId,n\\r?\\n,${QUESTIONS}\\s*$`));
  });

  it('shows the error in a statement, and keeps the statement', async () => {
    await run('SELECT nothing FROM parlance_conversations');
    await page.getByRole('alert').filter({ hasText: 'The statement has an error' }).waitFor();
    await page.getByRole('textbox', { name: 'SQL statement' }).getByText('nothing').waitFor();
    expect(reported).toEqual([]);
  });
});
