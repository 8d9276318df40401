import { ParlanceError } from '@parlance/client';
import type { Page } from 'playwright-core';
import { atEnd, type ConsoleWorld, expectAccessible } from './console-world.ts';
import type { StreamingProvider } from './streaming-provider.ts';

/** What a spec connects. */
export interface Connected {
  readonly page: Page;
  readonly provider: StreamingProvider;
  readonly providerId: string;
  readonly modelId: string;
  readonly routeId: string;
}

/** A model of another spec file would be the default of the product. Whatever the spec has not removed itself is removed at its end. */
export function removedAtEnd({ parlance: { api } }: ConsoleWorld, { providerId, modelId, routeId }: Connected): void {
  const isMissing = (error: unknown) => {
    if (!(error instanceof ParlanceError) || error.status !== 404) throw error;
  };
  atEnd(() => api.delete('/admin/providers/{providerId}', { path: { providerId } }).catch(isMissing));
  atEnd(() => api.delete('/admin/models/{modelId}', { path: { modelId } }).catch(isMissing));
  atEnd(() => api.delete('/admin/routes/{routeId}', { path: { routeId } }).catch(isMissing));
}

/** Enters the provider with a wrong key, removes it, enters it with another wrong key, and then with the right one. */
export async function connectProvider({ page, provider, providerId }: Connected, key: string): Promise<void> {
  await page.getByRole('button', { name: /^Anthropic Provider$/ }).click();
  await page.getByRole('option', { name: /^OpenAI-compatible server/ }).click();
  const connect = page.getByRole('button', { name: 'Connect and test' });
  await connect.click();
  await page.getByText('Enter an address that starts with https://').waitFor();
  await page.getByRole('textbox', { name: 'ID' }).fill(providerId);
  await page.getByRole('textbox', { name: 'Base URL' }).fill(provider.baseUrl);
  await page.getByLabel('API key').fill('a-wrong-key');
  await connect.click();
  await page.getByText('The provider does not work yet').waitFor();
  await page.getByText('Enter the key again').waitFor();
  await page.getByRole('button', { name: 'Remove the provider' }).click();
  await page.getByLabel('API key').fill('another-wrong-key');
  await connect.click();
  await page.getByText('The provider does not work yet').waitFor();
  await expectAccessible(page);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Save and test' }).click();
  await page.getByText(/^The provider answered in/).waitFor();
}

/** Chooses a model of the provider's list, and adds it with prices. */
export async function addModel({ page, modelId }: Connected): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search models' }).fill('swift');
  await page.getByText('1 model.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Choose Swift 2' }).click();
  const details = page.getByRole('form', { name: '3. Name and prices' });
  await details.getByRole('textbox', { name: 'ID' }).fill(modelId);
  await details.getByRole('textbox', { name: 'Price of input' }).fill('1');
  await details.getByRole('textbox', { name: 'Price of output' }).fill('2');
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Add the model' }).click();
  await page.getByText('Swift 2 is connected.').waitFor();
  await expectAccessible(page);
}

/** Adds and removes a route to the model. */
export async function tryRoute({ page, modelId, routeId }: Connected): Promise<void> {
  await page.getByRole('button', { name: 'Add a route' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a route' });
  await dialog.getByRole('textbox', { name: 'ID' }).fill(routeId);
  await dialog.getByRole('button', { name: /Targets$/ }).click();
  await page.getByRole('option', { name: 'Swift 2' }).click();
  await dialog.getByRole('button', { name: 'Leave out Swift 2' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByText(`Route ${routeId} saved.`).waitFor();
  await page.getByRole('row').filter({ hasText: routeId }).getByText(`${modelId} (1)`).waitFor();
  await page.getByRole('button', { name: `Remove the route ${routeId}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText(`Route ${routeId} removed.`).waitFor();
}

/** Tests and renames the model, and removes it. */
export async function removeModel({ page, provider }: Connected): Promise<void> {
  await page.getByRole('button', { name: 'Details of Swift 2' }).click();
  const panel = page.getByRole('dialog', { name: 'Swift 2' });
  provider.finish('Ready.');
  await panel.getByRole('button', { name: 'Test the model' }).click();
  await panel.getByText(/^The model answered in/).waitFor();
  await panel.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Swift 2' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Swifter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Swifter saved.').waitFor();
  await page.getByRole('dialog', { name: 'Swifter' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Remove Swifter?' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Swifter removed.').waitFor();
  await page.getByRole('button', { name: 'Details of Swifter' }).waitFor({ state: 'detached' });
}
