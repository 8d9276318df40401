import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { consoleWorld, DESKTOP, expectAccessible, person, PHONE } from '../console-world.ts';

const world = await consoleWorld();

describe('the bell', () => {
  it('shows what was shared with the user, leads to it, and marks it as read', async () => {
    const nora = await person(world, 'nora');
    const { page, reported } = await world.openAs(nora);
    const bell = page.getByRole('button', { name: /^Notifications/ });
    await bell.click();
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByText('No notifications').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    const title = `Tide tables ${world.id}`;
    const { id } = await world.parlance.bots.create({ title });
    await world.parlance.api.patch('/bot/{botId}/visibility', {
      path: { botId: id },
      body: { target_shared_scope: 'partial', target_allowed_user_ids: [nora.userId] },
    });
    const unread = async () => (await nora.parlance.api.get('/user/me/notifications')).unread;
    await waitFor(async () => (await unread()) === 1, { what: 'the notification' });

    await page.reload();
    await page.getByRole('button', { name: 'Notifications (1 unread)' }).click();
    await dialog.getByRole('link', { name: new RegExp(title) }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    expect(await unread()).toBe(0);
    await dialog.getByRole('link', { name: new RegExp(title) }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await dialog.count()).toBe(0);
    expect(reported).toEqual([]);
  });

  it('shows the newest twenty, and the others on request', async () => {
    const lee = await person(world, 'lee');
    const titles = Array.from({ length: 21 }, (_, index) => `Chart ${index + 1} ${world.id}`);
    for (const title of titles) {
      const { id } = await world.parlance.bots.create({ title });
      await world.parlance.api.patch('/bot/{botId}/visibility', {
        path: { botId: id },
        body: { target_shared_scope: 'partial', target_allowed_user_ids: [lee.userId] },
      });
    }
    const unread = async () => (await lee.parlance.api.get('/user/me/notifications')).unread;
    await waitFor(async () => (await unread()) === titles.length, { what: 'the notifications' });
    const { page, reported } = await world.openAs(lee);
    await page.getByRole('button', { name: 'Notifications (21 unread)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications' });
    await dialog.getByRole('link', { name: new RegExp(titles.at(-1)!) }).waitFor();
    expect(await dialog.getByRole('link').count()).toBe(20);
    await dialog.getByRole('button', { name: 'More' }).click();
    await dialog.getByRole('link', { name: new RegExp(titles[0]!) }).waitFor();
    expect([await dialog.getByRole('link').count(), await dialog.getByRole('button', { name: 'More' }).count()]).toEqual([21, 0]);
    expect(reported).toEqual([]);
  });

  it('is in the menu of a phone, and beside a hidden navigation', async () => {
    const otto = await person(world, 'otto');
    const { page, reported } = await world.openAs(otto, '/', PHONE);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByText('No notifications').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize(DESKTOP.viewport);
    await page.keyboard.press('ControlOrMeta+B');
    await page.getByRole('button', { name: /^Show the navigation/ }).waitFor();
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor();
    expect(reported).toEqual([]);
  });
});
