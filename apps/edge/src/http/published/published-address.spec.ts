import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publishedAddressOf } from './published-address.ts';

describe('the address of a published bot', () => {
  it.each([
    ['/published/a/api', { apiId: 'a', stage: 'api', below: '' }],
    ['/published/a/api/', { apiId: 'a', stage: 'api', below: '/' }],
    ['/published/a/api/v1/models', { apiId: 'a', stage: 'api', below: '/v1/models' }],
    ['/published/a/api//x', { apiId: 'a', stage: 'api', below: '//x' }],
    ['/published/a/', null],
    ['/published/a', null],
    ['/published//api/x', null],
    ['/published/a//x', null],
    ['/published/', null],
    ['/public/a/api', null],
  ])('is read from %s', (path, address) => expect(publishedAddressOf(path)).toEqual(address));

  it('is read the same way as the form defines, for every path', () => {
    const form = /^\/published\/([^/]+)\/([^/]+)(\/.*)?$/s;
    const path = fc
      .array(fc.constantFrom('/', '/published/', 'published', 'a', '.', '\n', 'é', '//'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(path, fc.boolean(), (text, isBelow) => {
        const given = isBelow ? `/published/${text}` : text;
        const [, apiId, stage, below = ''] = form.exec(given) ?? [];
        expect(publishedAddressOf(given)).toEqual(apiId === undefined ? null : { apiId, stage, below });
      }),
    );
  });
});
