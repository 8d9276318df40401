import { expect, it } from '@jest/globals';
import { colourInTurn } from './colour-in-turn.ts';

it('colours code in another task than the one in which the grammars are loaded', async () => {
  await import('./highlight.ts');
  const events: string[] = [];
  const coloured = new Promise<void>((resolve) => {
    colourInTurn('let a = 1;', 'ts', (root) => {
      events.push(root?.type ?? 'plain');
      resolve();
    });
  });
  await import('./highlight.ts');
  // Runs after all callbacks that wait for the grammars.
  await Promise.resolve();
  events.push('loaded');
  await coloured;
  expect(events).toEqual(['loaded', 'root']);
});

it('colours nothing that is no longer shown', async () => {
  const events: string[] = [];
  const cancel = colourInTurn('let a = 1;', 'ts', () => events.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => colourInTurn('let b = 1;', 'ts', () => resolve()));
  expect(events).toEqual([]);
});
