import { expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import { ask, chatWorld } from '../chat-world.ts';
import { expectAccessible } from '../console-world.ts';

it('shows an image that a reply has made below its text, also after a reload', async () => {
  const world = await chatWorld();
  const { provider } = world;
  const { id } = await world.parlance.bots.create({ title: 'Painter', tools: [{ name: 'create_image', approval: 'never' }] });
  const { page, reported } = await world.openSignedIn();
  await page.goto(`/app/?bot=${id}`);
  await ask(page, 'Draw a cat.');
  await waitFor(() => provider.begun === 1);
  provider.call('create_image', { prompt: 'A cat.' });
  await waitFor(() => provider.begun === 2);
  provider.end('Here is your cat.');
  const image = page.getByRole('article').getByRole('img', { name: 'Image', exact: true });
  await image.waitFor();
  await expectAccessible(page);
  await page.reload();
  await page.getByText('Here is your cat.').waitFor();
  await image.waitFor();
  expect(await image.evaluate((its) => (its as HTMLImageElement).naturalWidth)).toBe(1);
  expect(reported).toEqual([]);
});
