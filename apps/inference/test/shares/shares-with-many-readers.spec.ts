import { afterAll, expect, it, jest } from '@jest/globals';
import { Vault } from '@parlance/privacy';
import { SharedWorld } from './shared-world.ts';

const world = await SharedWorld.start();
afterAll(() => world.service.stop());

/** Longer than the time that tasks share in one turn of the event loop. */
const SLOW_MILLIS = 6;

it('gives other work a turn of the event loop after each slow step of a page', async () => {
  const shared = await world.share('ann', await world.say('ann', 'Read this.'));
  let turn = 0;
  let isReading = true;
  const count = () => {
    turn++;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const turnsOfSteps: number[] = [];
  const { open } = Vault.prototype;
  const slow = jest.spyOn(Vault.prototype, 'open').mockImplementation(async function (this: Vault, sealed) {
    const text = await open.call(this, sealed);
    const begun = performance.now();
    while (performance.now() - begun < SLOW_MILLIS);
    turnsOfSteps.push(turn);
    return text;
  });
  try {
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.read(shared).then(({ status }) => status)));
    expect(answers).toEqual(Array(8).fill(200));
    // Each page opens the texts of its messages and the title, and both are sealed twice.
    expect(turnsOfSteps).toHaveLength(8 * 4);
    expect(new Set(turnsOfSteps).size).toBe(turnsOfSteps.length);
  } finally {
    isReading = false;
    slow.mockRestore();
  }
});
