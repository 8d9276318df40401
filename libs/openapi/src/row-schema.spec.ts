import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { schemaOf } from './row-schema.ts';

describe('the schema of a row', () => {
  it('is the one that a document shows for an answer', () => {
    const row = z.object({
      id: z.string().describe('A ULID'),
      scope: z.enum(['private', 'all']),
      count: z.int(),
      few: z.int().max(9),
      note: z.string().nullable(),
      sizes: z.record(z.string(), z.int()),
    });
    expect(schemaOf(row)).toEqual({
      type: 'object',
      required: ['id', 'scope', 'count', 'few', 'note', 'sizes'],
      properties: {
        id: { type: 'string', description: 'A ULID' },
        scope: { enum: ['private', 'all'] },
        count: { type: 'integer' },
        few: { type: 'integer', maximum: 9 },
        note: { type: ['string', 'null'] },
        sizes: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    });
  });
});
