import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Parlance, ParlanceError } from '@parlance/client';
import type { Page } from 'playwright-core';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible, person, PHONE } from '../console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

const clientOf = (token: string) => new Parlance({ baseUrl: world.product.url, accessToken: token });

describe('the page of access tokens', () => {
  it('creates a token that is shown once and has the chosen permissions, and revokes it', async () => {
    const gil = await person(world, 'gil');
    const { page, reported } = await world.openAs(gil, '/app/account/tokens');
    await page.getByText('You have no access tokens').waitFor();
    await page.getByRole('button', { name: 'New token' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'New access token' });
    await page.getByLabel('Description').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Nightly report');
    expect(await form.getByRole('checkbox').count()).toBe(6);
    await page.keyboard.press('Enter');
    await form.getByText('Choose at least one permission.').waitFor();
    await expectAccessible(page);
    await form.getByRole('checkbox', { name: /Chats/ }).press('Space');
    await form.getByLabel('Allowed IP ranges').fill('no range');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByLabel('Allowed IP ranges').and(page.locator('[aria-invalid]')).waitFor();
    await form.getByLabel('Allowed IP ranges').fill('127.0.0.0/8\n::1/128');
    await form.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'Your access token' });
    const token = await shown.getByRole('region', { name: 'Token' }).innerText();
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Only from 127.0.0.0/8, ::1/128').waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    await expectAccessible(page);

    expect((await clientOf(token).me()).user_id).toBe(gil.userId);
    await expect(clientOf(token).bots.list().next()).rejects.toMatchObject({ code: 'scope_missing' });

    await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('You have no access tokens').waitFor();
    await expect(clientOf(token).me()).rejects.toBeInstanceOf(ParlanceError);
    expect(reported).toEqual([]);
  });

  it('reports that the token is lost if the answer was lost', async () => {
    const hal = await person(world, 'hal');
    atEnd(() => world.parlance.admin.eraseUser(hal.userId));
    const { page } = await world.openAs(hal, '/app/account/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New access token' });
    await form.getByLabel('Description').fill('Lost');
    await form.getByRole('checkbox', { name: /Chats/ }).press('Space');
    let answers = 0;
    await page.route('**/user/me/tokens', async (route) => {
      if (route.request().method() !== 'POST' || ++answers > 1) return route.fallback();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('The response with the secret was lost').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke Lost' }).waitFor();
  });
});

describe('the page for API access', () => {
  const run = promisify(execFile);
  let page: Page;
  let reported: readonly string[];
  let token: string;
  beforeAll(async () => {
    const ida = await person(world, 'ida');
    atEnd(() => world.parlance.admin.eraseUser(ida.userId));
    ({ page, reported } = await world.openAs(ida, '/app/account/api'));
  });

  const tokens = () => page.getByRole('region', { name: 'Tokens for programs' });
  const calls = () => page.getByRole('region', { name: 'Calls', exact: true });
  /** The code of an example for a model that has both APIs. */
  const example = async (name: string) => {
    await page.getByRole('button', { name: /Program$/ }).click();
    await page.getByRole('option', { name }).click();
    return page.getByRole('region', { name, exact: true }).innerText();
  };
  const env = () => ({ PATH: process.env['PATH'], PARLANCE_TOKEN: token });

  it('says what is missing before the first token and call', async () => {
    await page.getByText('You have no token that may call models').waitFor();
    await page.getByText('There are no calls yet').waitFor();
    await expectAccessible(page);
  });

  it('creates a token with terms, and changes them', async () => {
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New access token' });
    await form.getByLabel('Description').fill('Report');
    await form.getByRole('checkbox', { name: /Call models/, checked: true }).waitFor();
    await form.getByRole('textbox', { name: 'Models' }).fill('local-*');
    await form.getByRole('textbox', { name: 'Calls a minute' }).fill('60');
    await form.getByRole('textbox', { name: 'Cost centre' }).fill('sales');
    await form.getByRole('textbox', { name: 'Tags' }).fill(`app: ${'x'.repeat(65)}`);
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByRole('textbox', { name: 'Tags' }).and(page.locator('[aria-invalid]')).waitFor();
    await expectAccessible(page);
    await form.getByRole('textbox', { name: 'Tags' }).fill('app: report');
    await form.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'Your access token' });
    token = await shown.getByRole('region', { name: 'Token' }).innerText();
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await tokens().getByText('Only local-* · 60 calls a minute · Cost centre sales · app: report').waitFor();
    await tokens().getByRole('button', { name: 'Change terms of Report' }).press('Enter');
    const terms = page.getByRole('dialog', { name: 'Terms of Report' });
    await terms.getByRole('textbox', { name: 'Calls a minute' }).fill('');
    await terms.getByRole('textbox', { name: 'Calls at once' }).fill('2');
    await expectAccessible(page);
    await terms.getByRole('button', { name: 'Save' }).click();
    await tokens().getByText('Only local-* · 2 at once · Cost centre sales · app: report').waitFor();
  });

  it('has examples that work as they are', async () => {
    await page.getByRole('region', { name: 'Models' }).getByText('local-extractive').waitFor();
    await page
      .getByRole('button', { name: /^Examples with/ })
      .first()
      .click();
    const { stdout: answer } = await run('sh', ['-c', await example('curl')], { env: env() });
    expect(JSON.parse(answer)).toMatchObject({ object: 'chat.completion', model: 'local-extractive' });
    const node = ['--input-type=module', '-e', await example('OpenAI SDK, Node')];
    expect((await run(process.execPath, node, { env: env(), cwd: fileURLToPath(new URL('../..', import.meta.url)) })).stdout).not.toBe('');
    expect(await example('Claude Code')).toContain(`ANTHROPIC_BASE_URL='${world.product.url}'`);
    await expectAccessible(page);
  });

  it('lists the calls, filters them, and saves them as CSV', async () => {
    await page.reload();
    const rows = calls().getByRole('row', { name: /Report/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByRole('button', { name: /Status$/ }).click();
    await page.getByRole('option', { name: 'Completed' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/status=completed/);
    expect(await rows.count()).toBe(2);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(3);
    await page.setViewportSize(PHONE.viewport);
    await expectAccessible(page);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(reported).toEqual([]);
  });
});
