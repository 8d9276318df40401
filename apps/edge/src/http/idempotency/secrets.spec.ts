import { describe, expect, it } from '@jest/globals';
import { SchemaShapes } from '../routing/schema-shapes.ts';
import { maskSecrets } from './secrets.ts';

const secret = { type: 'string', 'x-secret': true };
const shape = new SchemaShapes({ Key: { properties: { value: secret, name: {} } } }).of({
  properties: {
    id: {},
    token: secret,
    parts: { items: secret, type: 'array', 'x-secret': true },
    keys: { items: { $ref: '#/components/schemas/Key' } },
  },
});

describe('the stored part of an answer', () => {
  it('contains the beginning and the end of a long secret, and no part of a short one', () => {
    const answer = { id: 'k', token: 'pk_0123456789abcdefghijkl', keys: [{ value: 'only 23 characters long', name: 'one' }], parts: ['a'] };
    expect(maskSecrets(answer, shape)).toEqual({ id: 'k', token: 'pk_01234…ijkl', keys: [{ value: '…', name: 'one' }], parts: '…' });
  });
  it('leaves absent fields absent', () => expect(maskSecrets({ id: 'k', token: null }, shape)).toEqual({ id: 'k', token: null }));
});
