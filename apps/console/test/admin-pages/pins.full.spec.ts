import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';

const TITLES = ['Alpha', 'Beta', 'Gamma'];

describe('the order of pinned bots', () => {
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await consoleWorld();
    const { api, bots } = world.parlance;
    for (const [index, title] of TITLES.entries()) {
      const { id } = await bots.create({ title });
      await api.patch('/bot/{botId}/visibility', { path: { botId: id }, body: { target_shared_scope: 'all' } });
      const path = { botId: id };
      await api.patch('/admin/bot/{botId}/pushed', { path, body: { to_pinned: true, order: (index + 1) * 10 } });
      atEnd(() => api.patch('/admin/bot/{botId}/pushed', { path, body: { to_pinned: false } }));
    }
    ({ page, reported } = await world.openSignedIn());
    await page.goto('/app/admin/bots');
    await row('Gamma').waitFor();
  });

  const row = (title: string) => page.getByRole('row', { name: new RegExp(title) }).first();
  const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true });
  const pinned = async () => (await world.parlance.api.get('/bot/pinned')).bots.map(({ title }) => title);
  const becomes = (...titles: string[]) => waitFor(async () => (await pinned()).join() === titles.join());

  it('is shown by positions alone, with the icons of the bots', async () => {
    expect((await row('Gamma').innerText()).split(/\s+/)).toEqual(['3', 'G', 'Gamma']);
  });

  it('is changed by the pointer', async () => {
    const [from, to] = [await handle('Gamma').boundingBox(), await row('Alpha').boundingBox()];
    await page.mouse.move(from!.x + from!.width / 2, from!.y + from!.height / 2);
    await page.mouse.down();
    await page.mouse.move(to!.x + 60, to!.y + to!.height / 2, { steps: 8 });
    await page.mouse.move(to!.x + 60, to!.y + 2, { steps: 4 });
    await page.mouse.up();
    await becomes('Gamma', 'Alpha', 'Beta');
  });

  it('is changed by the keyboard from a handle', async () => {
    // The list is read again after each change.
    await page.waitForLoadState('networkidle');
    await handle('Gamma').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-drop-target]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await pinned())[0] !== 'Gamma');
    await expectAccessible(page);
  });

  it('is changed by buttons', async () => {
    const before = await pinned();
    await row(before[2]!)
      .getByRole('button', { name: `Move ${before[2]} up` })
      .press('Enter');
    await becomes(before[0]!, before[2]!, before[1]!);
    expect(reported).toEqual([]);
  });
});
