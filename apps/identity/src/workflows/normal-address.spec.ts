import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalAddress } from './normal-address.ts';

describe('the normal form of an address', () => {
  it.each([
    ['case', 'Ann@Example.ORG', 'ann@example.org'],
    ['spaces at its ends', ' ann@example.org\n', 'ann@example.org'],
    ['the encoding of an accent', 'jose\u0301@example.org', 'jos\u00e9@example.org'],
    ['the encoding of an accent whose composed letter exists only in lower case', 'J\u030c@example.org', '\u01f0@example.org'],
    ['a symbol that stands for a letter', '\u212aelvin@example.org', 'kelvin@example.org'],
    ['the script of the domain', 'ann@ex\u00e4mple.org', 'ann@xn--exmple-cua.org'],
    ['the width of the domain', 'ann@\uff45xample\u3002org', 'ann@example.org'],
    ['invisible characters in the domain', 'ann@exam\u00adple.org', 'ann@example.org'],
  ])('does not depend on %s', (_, one, other) => expect(normalAddress(one)).toBe(normalAddress(other)));

  it.each([
    ['ann+x@example.org', 'ann@example.org'],
    ['\uff41nn@example.org', 'ann@example.org'],
    ['ann@example.org/x', 'ann@example.org'],
    ['ann@example.org?x', 'ann@example.org'],
    ['ann@example.org:80', 'ann@example.org'],
    ['"a@b"@example.org', 'a@example.org'],
  ])('of %s differs from that of %s', (one, other) => expect(normalAddress(one)).not.toBe(normalAddress(other)));

  it('is its own normal form', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, domain) => {
        const normal = normalAddress(`${name}@${domain}`);
        expect(normalAddress(normal)).toBe(normal);
      }),
    ));
});
