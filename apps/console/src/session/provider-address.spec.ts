import { expect, it } from '@jest/globals';
import { providerAddress } from './provider-address.ts';

const START = 'https://chat.example.org/auth/oidc/acme/start';
const backOf = (address: string) => new URL(address).searchParams.get('return_to');

it('requests a session in the cookie, and a return to the console', () => {
  const address = new URL(providerAddress(START, undefined));
  expect([address.origin + address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
    START,
    { session: 'cookie', return_to: '/app/sign-in/done' },
  ]);
});
it('remembers the requested page', () => {
  const back = backOf(providerAddress(START, '/store?q=a&list=popular')) ?? '';
  expect(new URL(back, START).searchParams.get('next')).toBe('/store?q=a&list=popular');
});
it('has no fragment and no double slash in the return path, which the server would refuse', () => {
  expect(backOf(providerAddress(START, '/c/1#end'))).not.toMatch(/#|^[^?]*\/\//);
});
it('requests a fresh sign-in only if one is needed', () => {
  const freshOf = (address: string) => new URL(address).searchParams.get('fresh');
  expect([providerAddress(START, '/account', { isFresh: true }), providerAddress(START, '/account')].map(freshOf)).toEqual(['true', null]);
});
