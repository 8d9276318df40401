import { beforeAll, describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { atEnd, consoleWorld, expectAccessible } from '../console-world.ts';

describe('a cell without a value', () => {
  let page: Page;
  let botId: string;
  beforeAll(async () => {
    const world = await consoleWorld();
    ({ page } = await world.openSignedIn());
    ({ id: botId } = await world.parlance.bots.create({ title: `Guide ${world.id}` }));
    atEnd(() => world.parlance.bots.delete(botId));
  });

  it.each([
    ['why a session has no button', '/account/sessions', /This session.*Sign out to end it/],
    ['why a group has no time and no button', '/admin/groups', /PublishAllowed.*With the installation.*Cannot be deleted/],
  ])('says %s', async (_, path, name) => {
    await page.goto(`/app${path}`);
    await page.getByRole('row', { name }).waitFor();
    await expectAccessible(page);
  });

  it('says why a bot has no satisfaction', async () => {
    await page.goto(`/app/bots/${botId}/insights`);
    await page.getByRole('definition').filter({ hasText: 'No ratings yet' }).waitFor();
  });
});
