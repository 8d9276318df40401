import { describe, expect, it } from '@jest/globals';
import { consoleWorld, DESKTOP, expectAccessible, PHONE } from '../console-world.ts';

const world = await consoleWorld();

describe('the prompt library', () => {
  it('creates a prompt, changes it, restores a version, shares it and deletes it', async () => {
    const { page, reported } = await world.openSignedIn();
    await page.goto('/app/prompts');
    await page.getByText('No prompts yet').waitFor();
    await page.getByRole('button', { name: 'New prompt' }).click();
    const dialog = page.getByRole('dialog', { name: 'New prompt' });
    await dialog.getByLabel('Title').fill('Polite mail');
    await dialog.getByLabel('Command').fill('Mail');
    await dialog.getByLabel('Text').fill('Dear {{your name}}');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be lower-case letters/).waitFor();
    await dialog.getByLabel('Command').fill('mail');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/placeholder in line 1/).waitFor();
    await dialog.getByLabel('Text').fill('Dear {{name}}, in a {{tone|warm|dry}} tone.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Polite mail' }).waitFor();
    await page.getByText('one of: warm, dry').waitFor();

    await page.getByLabel('Title').fill('Polite letter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Polite letter' }).waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Polite mail' }).waitFor();
    await page.getByRole('cell', { name: 'Restored from version 1' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Polite mail');

    await page.getByRole('button', { name: 'Share' }).click();
    const sharing = page.getByRole('dialog', { name: 'Share the prompt' });
    await sharing.getByRole('radio', { name: /All users/ }).press('Space');
    await sharing.getByRole('button', { name: 'Save' }).click();
    await sharing.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Sharing changed' }).waitFor();
    for (const looks of [{ ...DESKTOP, colorScheme: 'dark' } as const, { ...PHONE, colorScheme: 'light' } as const]) {
      await page.setViewportSize(looks.viewport);
      await page.emulateMedia({ colorScheme: looks.colorScheme });
      await expectAccessible(page);
    }
    await page.setViewportSize(DESKTOP.viewport);

    await page.goto('/app/prompts?q=POLITE');
    await page.getByRole('link', { name: 'Polite mail' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Shared with me' }).click();
    await page.getByText('No prompts found').waitFor();
    await page.goto('/app/prompts');
    await page.getByRole('link', { name: 'Polite mail' }).click();
    await page.getByRole('button', { name: 'Delete the prompt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the prompt' }).click();
    await page.getByText('No prompts yet').waitFor();
    expect(reported).toEqual([]);
  });
});
