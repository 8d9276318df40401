import { beforeAll, describe, expect, it } from '@jest/globals';
import { consoleWorld, expectAccessible, person } from '../console-world.ts';
import { type MailWorld, mailWorld } from '../mailbox.ts';

describe('the language of e-mails', () => {
  describe('with a mail server', () => {
    let world: MailWorld;
    beforeAll(async () => void (world = await mailWorld()));

    it('is chosen by the user, and can be reset to that of the installation', async () => {
      const jo = await person(world, 'jo');
      const { page, reported } = await world.openAs(jo, '/app/account');
      const choice = (chosen: string) => page.getByRole('button', { name: `${chosen} Language of e-mails` });
      const choose = async (before: string, next: string) => {
        await choice(before).press('Enter');
        const answer = page.waitForResponse((response) => response.request().method() === 'PATCH');
        await page.getByRole('option', { name: next }).click();
        expect((await answer).status()).toBe(200);
        await choice(next).waitFor();
      };

      await choose('Same as the installation', 'German');
      expect((await jo.parlance.me()).language).toBe('de');
      await page.getByText('Language of e-mails changed.').first().waitFor();
      await expectAccessible(page);
      await page.reload();
      await choose('German', 'Same as the installation');
      expect((await jo.parlance.me()).language).toBeNull();
      expect(reported).toEqual([]);
    });

    it('is unchanged when the server refuses the change, and the refusal is shown', async () => {
      const kim = await person(world, 'kim');
      const { page } = await world.openAs(kim, '/app/account');
      await page.route('**/user/me', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback()));
      const choice = page.getByRole('button', { name: 'Same as the installation Language of e-mails' });
      await choice.press('Enter');
      await page.getByRole('option', { name: 'English' }).click();
      await page.getByText('no answer').or(page.getByText('did not answer')).first().waitFor();
      await choice.waitFor();
      expect((await kim.parlance.me()).language).toBeNull();
    });
  });

  it('cannot be chosen without a mail server', async () => {
    const world = await consoleWorld();
    const { page } = await world.openSignedIn();
    await page.goto('/app/account');
    await page.getByRole('heading', { name: 'Password' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Language of e-mails').count()).toBe(0);
  });
});
