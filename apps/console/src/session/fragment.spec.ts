import { afterEach, expect, it } from '@jest/globals';
import { forgetFragment, takeFragment } from './fragment.ts';

const PAGE = 'https://chat.example.org/app/welcome?a=1';
/** A window at an address. */
const windowAt = (href: string) => {
  const location = new URL(href);
  const replaceState = (_state: unknown, _unused: string, next: string) => (location.href = new URL(next, location).href);
  return { location, history: { state: null, replaceState } };
};
afterEach(forgetFragment);

it('takes the secret out of the address and keeps the rest', () => {
  const window = windowAt(`${PAGE}#secret`);
  expect([takeFragment(window), window.location.href]).toEqual(['secret', PAGE]);
});
it('returns the secret again until it is forgotten', () => {
  const window = windowAt(`${PAGE}#secret`);
  takeFragment(window);
  expect(takeFragment(window)).toBe('secret');
  forgetFragment();
  expect(takeFragment(window)).toBe('');
});
