import { describe, expect, it } from '@jest/globals';
import { atEnd, consoleWorld, person } from '../console-world.ts';

describe('the pages of a bot', () => {
  it('offer insights to administrators, and not to an owner who cannot see them', async () => {
    const world = await consoleWorld();
    const owner = await person(world, 'owen');
    for (const [who, isOffered] of [
      [world.admin, true],
      [owner, false],
    ] as const) {
      const { id } = await who.parlance.bots.create({ title: `Own ${who.name}` });
      atEnd(() => who.parlance.bots.delete(id));
      const { page } = await world.openAs(who, `/app/bots/${id}/edit`);
      const pages = page.getByRole('navigation', { name: 'Pages of the bot' });
      await pages.getByRole('link', { name: 'History' }).waitFor();
      expect(await pages.getByRole('link', { name: 'Insights' }).count()).toBe(isOffered ? 1 : 0);
    }
  });
});
