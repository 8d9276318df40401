import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Components } from './json-schema.ts';
import { nameSchemas, schemaOf } from './row-schema.ts';

describe('the schema of a row', () => {
  it('requires the fields that are always present, and allows others', () =>
    expect(schemaOf(z.object({ id: z.string().describe('ULID'), note: z.string().optional() }))).toEqual({
      type: 'object',
      properties: { id: { type: 'string', description: 'ULID' }, note: { type: 'string' } },
      required: ['id'],
    }));
  it.each([
    ['an integer without the bounds of the language', z.int(), { type: 'integer' }],
    ['an integer with bounds of its own', z.int().min(1).max(9), { type: 'integer', minimum: 1, maximum: 9 }],
    ['one of several words', z.enum(['a', 'b']), { enum: ['a', 'b'] }],
    ['one word', z.literal('USD'), { const: 'USD' }],
    ['a text or null as one list of types', z.string().nullable().describe('Why'), { type: ['string', 'null'], description: 'Why' }],
    ['a map', z.record(z.string(), z.number()), { type: 'object', additionalProperties: { type: 'number' } }],
    [
      'an object or null',
      z.object({ id: z.string() }).nullable(),
      { type: ['object', 'null'], properties: { id: { type: 'string' } }, required: ['id'] },
    ],
    ['a list that the code cannot change', z.array(z.string()).readonly(), { type: 'array', items: { type: 'string' } }],
    ['a secret', z.string().meta({ 'x-secret': true }), { type: 'string', 'x-secret': true }],
  ])('describes %s', (_, row, schema) => expect(schemaOf(row)).toEqual(schema));
  it('refers to its named parts', () => {
    const User = z.object({ id: z.string(), title: z.string() });
    nameSchemas({ User });
    const components = new Components();
    const schema = schemaOf(z.object({ owner: User, editor: User.nullable(), users: z.array(User) }));
    expect(components.hoist(schema)).toMatchObject({
      properties: {
        owner: { $ref: '#/components/schemas/User' },
        editor: { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] },
        users: { type: 'array', items: { $ref: '#/components/schemas/User' } },
      },
    });
    expect(components.schemas).toEqual({ User: schemaOf(User) });
  });
});
