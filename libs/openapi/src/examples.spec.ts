import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exampleOf, withExamples } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';

const schemas: Record<string, JsonSchema> = {
  Person: {
    type: 'object',
    required: ['user_id', 'email'],
    properties: {
      user_id: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
      email: { type: 'string', format: 'email' },
      friends: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Person' } },
    },
  },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'code'],
    properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, code: { type: 'string' } },
  },
};

describe('the example of a schema', () => {
  it.each<[string, JsonSchema]>([
    ['a constant', { const: 'x' }],
    ['one of several values', { enum: ['a', null] }],
    ['a text of some length', { type: 'string', minLength: 8, maxLength: 100 }],
    ['a text with a pattern', { type: 'string', pattern: '^[a-z]+$' }],
    ['a number with a minimum', { type: 'integer', minimum: 5 }],
    ['a nullable value', { type: ['string', 'null'] }],
    ['a value that is always null', { type: 'null' }],
    ['one of several schemas', { anyOf: [{ type: 'null' }, { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } }] }],
    ['several combined schemas', { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: ['c'] } } }] }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['a list', { type: 'array', minItems: 1, items: { type: 'string' } }],
  ])('matches the schema: %s', (_, schema) => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema, components: { schemas } });
    validate(exampleOf(schema, schemas));
    expect(validate.errors).toBeNull();
  });
  it('is finite for a recursive schema', () =>
    expect(exampleOf({ $ref: '#/components/schemas/Person' }, schemas)).toMatchObject({ email: 'ann@example.org' }));
  it('fits the name of a field', () =>
    expect(
      exampleOf(
        { type: 'object', properties: { first_name: { type: 'string' }, create_time: { type: 'integer', description: 'Epoch seconds' } } },
        {},
      ),
    ).toEqual({ first_name: 'Ann', create_time: 1_795_262_400 }));
  it.each<[string, string, JsonSchema, unknown]>([
    ['seconds, for a number named from', 'from', { type: 'integer', minimum: 0, maximum: 253_402_300_799 }, 1_795_262_400],
    ['a date, for a text named from', 'from', { type: 'string' }, '2026-11-01T00:00:00Z'],
    ['an HTTP status', 'last_status', { type: ['integer', 'null'] }, 503],
    ['an enabled resource', 'enabled', { type: 'boolean' }, true],
    ['no reason', 'disabled_because', { anyOf: [{ enum: ['admin'] }, { type: 'null' }] }, null],
    ['a model', 'modelId', { type: 'string' }, 'local-extractive'],
    ['a number within its bounds', 'days', { type: 'integer', minimum: 1, maximum: 7 }, 1],
  ])('is by the name of a field: %s', (_, name, schema, expected) => expect(exampleOf(schema, schemas, name)).toBe(expected));
});

describe('a document with examples', () => {
  it('has an example next to every schema, and problems with the status of their response', () => {
    const refusal = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: ['email_taken'] } } }] };
    const content = (schema: JsonSchema) => ({ 'application/json': { schema } });
    const document = withExamples({
      components: { schemas },
      paths: {
        '/user': {
          post: {
            parameters: [{ name: 'prefix', in: 'query', schema: { type: 'string' } }],
            requestBody: { content: content({ $ref: '#/components/schemas/Person' }) },
            responses: { 201: { content: content({ type: 'string' }) }, 204: {}, 409: { content: content(refusal) } },
          },
        },
      },
    });
    expect(document.paths['/user'].post).toMatchObject({
      parameters: [{ example: 'an' }],
      requestBody: { content: { 'application/json': { example: { email: 'ann@example.org' } } } },
      responses: {
        201: { content: { 'application/json': { example: expect.any(String) } } },
        409: { content: { 'application/json': { example: { status: 409, title: 'Conflict', code: 'email_taken' } } } },
      },
    });
  });
});
