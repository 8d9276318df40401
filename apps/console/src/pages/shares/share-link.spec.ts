import { endOf, isToken, keptToken, linkOf } from './share-link.ts';

const TOKEN = 'hE2_-Zk3mV8qX5tR9wB1yD4gJ7nL0pS6uA2cF5iO8eQ';

describe('the link of a share', () => {
  it('is a page of the console, with the token in the fragment, which no server gets', () =>
    expect(linkOf(`https://chat.example.org/shared/${TOKEN}`)).toBe(`https://chat.example.org/app/shared#${TOKEN}`));

  it('is accepted only if it is complete', () => {
    expect(isToken(TOKEN)).toBe(true);
    for (const text of ['', 'short', `${TOKEN}/files`, `${TOKEN}?x`, '../../../admin/users/something']) expect(isToken(text)).toBe(false);
  });

  it('is remembered after it is removed from the address', () => {
    expect(keptToken(TOKEN)).toBe(TOKEN);
    expect(keptToken('')).toBe(TOKEN);
  });

  it('expires after the chosen number of days, or never', () => {
    expect(endOf('7', 1_000_000_500)).toBe(1_000_000 + 7 * 24 * 3_600);
    expect(endOf('never')).toBeUndefined();
  });
});
