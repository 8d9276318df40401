import { endOf, isToken, keptToken, linkOf } from './share-link.ts';

const TOKEN = 'hE2_-Zk3mV8qX5tR9wB1yD4gJ7nL0pS6uA2cF5iO8eQ';

describe('the link of a share', () => {
  it('is the page of the console, with the token where no server gets it', () =>
    expect(linkOf(`https://chat.example.org/shared/${TOKEN}`)).toBe(`https://chat.example.org/app/shared#${TOKEN}`));

  it('is taken for one only as a whole', () => {
    expect(isToken(TOKEN)).toBe(true);
    for (const text of ['', 'short', `${TOKEN}/files`, `${TOKEN}?x`, '../../../admin/users/something']) expect(isToken(text)).toBe(false);
  });

  it('is known after the address has lost it', () => {
    expect(keptToken(TOKEN)).toBe(TOKEN);
    expect(keptToken('')).toBe(TOKEN);
  });

  it('ends after so many days, or not by itself', () => {
    expect(endOf('7', 1_000_000_500)).toBe(1_000_000 + 7 * 24 * 3_600);
    expect(endOf('never')).toBeUndefined();
  });
});
