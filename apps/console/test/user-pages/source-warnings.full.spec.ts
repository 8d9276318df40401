import { expect, it } from '@jest/globals';
import { consoleWorld, expectAccessible } from '../console-world.ts';

const world = await consoleWorld();
const { bots } = world.parlance;

it('a bot is set to leave out sources that cannot be read, and its page names them', async () => {
  const { id } = await bots.create({ title: 'Ferries' });
  for (const [name, text] of [
    ['timetable.txt', 'Ferries leave every hour.'],
    ['empty.txt', ' '],
  ] as const)
    await bots.upload(id, name, 'text/plain', new TextEncoder().encode(text));
  await bots.change(id, { knowledge: { added_filenames: ['timetable.txt', 'empty.txt', 'missing.txt'] } });
  const { page, reported } = await world.openSignedIn();

  await page.goto(`/app/bots/${id}/knowledge`);
  await page.getByText('1 of 3 sources could not be read.').waitFor();
  await page.getByText('Some sources could not be read. The bot has no knowledge yet.').waitFor();
  await page.getByText('and read the sources again.').waitFor();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: /If a source cannot be read/ }).press('Enter');
  await page.getByRole('option', { name: 'Leave the source out, and show a warning' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click();

  await page.getByText('The sources have been read, except those in the list of warnings.').waitFor();
  const warnings = page.getByRole('region', { name: 'Not in the knowledge of the bot' });
  expect(await warnings.getByRole('row').allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching(/^missing\.txt\s+The file was not uploaded\./),
    expect.stringMatching(/^empty\.txt\s+/),
  ]);
  await expectAccessible(page);
  expect(reported).toEqual([]);
});
