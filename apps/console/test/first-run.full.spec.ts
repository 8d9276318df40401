import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { oneProcess, type Product, waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { sharedChromium } from './chromium.ts';
import { atEnd, expectAccessible, openIn } from './console-world.ts';

describe('the first run', () => {
  let product: Product;
  let page: Page;
  beforeAll(async () => {
    product = await oneProcess({ PARLANCE_GUIDE_BOT: 'true', PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0' });
    atEnd(() => product.stop());
    ({ page } = await openIn(await sharedChromium(), {}));
  });

  it('goes from the printed link to a cited answer with one new password', async () => {
    let link: string | undefined;
    const isPrinted = async () => {
      [link] = /http\S+\/app\/welcome#\S+/.exec(await readFile(join(product.directory, 'server.log'), 'utf8')) ?? [];
      return link !== undefined;
    };
    // It is printed after the server has begun to answer.
    await waitFor(isPrinted, { what: 'the link' });
    await page.goto(link!);
    await page.getByRole('textbox', { name: 'New password' }).waitFor();
    expect(page.url()).not.toContain('#');
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'New password' }).fill('a new password of some length');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Parlance Guide' }).waitFor();
    await page.getByText('is being read').waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Suggestions' }).getByRole('button').first().click();
    await page
      .getByRole('button', { name: /^Source \d/ })
      .first()
      .waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'New chat' }).click();
    await page.getByRole('link', { name: /Create a bot/ }).waitFor();
    await page.getByRole('link', { name: /Connect a model/ }).click();
    await page.getByRole('heading', { level: 1, name: /model/i }).waitFor();
    await expectAccessible(page);
  });
});
