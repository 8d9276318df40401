import { expect, it } from '@jest/globals';
import { expectAccessible } from '../console-world.ts';
import { mailWorld } from '../mailbox.ts';

const world = await mailWorld({}, { isOwn: true });

it('lets users turn mails about notifications on and off', async () => {
  const { page, reported } = await world.openSignedIn();
  await page.goto('/app/account');
  const choice = page.getByRole('switch', { name: 'Send me e-mails about notifications' });
  const chosen = async () => (await world.parlance.api.get('/user/me')).notification_mails;
  await choice.and(page.locator(':not(:checked)')).waitFor();
  for (const isOn of [true, false]) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await choice.press('Space');
    expect((await saved).status()).toBe(200);
    expect(await chosen()).toBe(isOn);
    await page.reload();
    expect(await choice.isChecked()).toBe(isOn);
  }
  await expectAccessible(page);
  expect(reported).toEqual([]);
});
