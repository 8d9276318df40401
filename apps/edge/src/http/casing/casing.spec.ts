import { describe, expect, it } from '@jest/globals';
import { mustEnd } from '@parlance/testing';
import fc from 'fast-check';
import { camelPath, hasCapitalNames, toCamelCase, toSnakeCase } from './casing.ts';
import { namesInSnakeCase } from './renaming.ts';
import { SchemaShapes } from '../routing/schema-shapes.ts';

const text = { type: 'string' };
const schemas = {
  Message: {
    properties: {
      parent_message_id: text,
      content: { items: { oneOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Image' }] } },
      replies: { type: 'array', items: { $ref: '#/components/schemas/Message' } },
    },
  },
  Text: { properties: { content_type: { const: 'text' }, body: text } },
  Image: { allOf: [{ properties: { content_type: { const: 'image' } } }, { properties: { media_type: text } }] },
};
const shape = new SchemaShapes(schemas).of({
  properties: {
    bot_id: text,
    message: { anyOf: [{ $ref: '#/components/schemas/Message' }, { type: 'null' }] },
    by_model: { type: 'object', additionalProperties: { properties: { total_cost: { type: 'number' } } } },
    free_form: { type: 'object', additionalProperties: true },
    tuple: { prefixItems: [{ properties: { first_name: text } }] },
    // The style of SCIM.
    userName: text,
    user_name: text,
    familyName: text,
    x_1: text,
  },
});

const snake = {
  bot_id: 'b',
  message: {
    parent_message_id: null,
    content: [
      { content_type: 'text', body: 'x' },
      { content_type: 'image', media_type: 'image/png' },
    ],
    replies: [{ replies: [{ parent_message_id: 'p' }] }],
  },
  by_model: { 'local-extractive': { total_cost: 1 }, some_model: { total_cost: 2 } },
  free_form: { any_name: { inner_name: 1 } },
  tuple: [{ first_name: 'Ann' }],
  userName: 'ann',
  user_name: 'ben',
  familyName: 'cat',
  x_1: '',
  unknown_name: 1,
};
const camel = {
  botId: 'b',
  message: {
    parentMessageId: null,
    content: [
      { contentType: 'text', body: 'x' },
      { contentType: 'image', mediaType: 'image/png' },
    ],
    replies: [{ replies: [{ parentMessageId: 'p' }] }],
  },
  byModel: { 'local-extractive': { totalCost: 1 }, some_model: { totalCost: 2 } },
  freeForm: { any_name: { inner_name: 1 } },
  tuple: [{ firstName: 'Ann' }],
  userName: 'ann',
  user_name: 'ben',
  familyName: 'cat',
  x1: '',
  unknown_name: 1,
};

describe('the case of names', () => {
  it('changes for names that a schema declares, at any depth', () => expect(toCamelCase(snake, shape)).toEqual(camel));
  it('changes back the same way', () => expect(toSnakeCase(camel, shape)).toEqual(snake));
  it('keeps the order of members', () =>
    expect(JSON.stringify(toSnakeCase({ x: 1, botId: 'b', y: 2 }, shape))).toBe('{"x":1,"bot_id":"b","y":2}'));
  it('leaves a value unchanged if no name has to change', () => expect(toSnakeCase(snake, shape)).toBe(snake));
  it('leaves values that do not match the schema’s kind', () =>
    expect(toSnakeCase({ message: 'x', byModel: [1] }, shape)).toEqual({ message: 'x', by_model: [1] }));
  it('is refused if an object has a name in both cases', () =>
    expect(() => toSnakeCase({ message: { content: [{ contentType: 'text', content_type: 'text' }] } }, shape)).toThrow(
      expect.objectContaining({ code: 'malformed_body', message: expect.stringMatching(/contentType and content_type/) }),
    ));
  it('leaves a name in both cases in an answer', () => {
    const both = { bot_id: 1, botId: 2 };
    expect(toCamelCase(both, shape)).toBe(both);
  });
  it('changes the declared names in paths', () => {
    expect(camelPath('message.content[0].media_type', shape)).toBe('message.content[0].mediaType');
    expect(camelPath('by_model.some_model.total_cost', shape)).toBe('byModel.some_model.totalCost');
    expect(camelPath('message.colour_of', shape)).toBe('message.colour_of');
    expect(camelPath('', shape)).toBe('');
  });
  it('round-trips through camelCase, whatever the values', () => {
    const name = fc.constantFrom('bot_id', 'message', 'by_model', 'free_form', 'tuple', 'userName', 'other_name');
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, fc.string(), fc.array(tie('any')), fc.dictionary(name, tie('any'))),
    })).any;
    fc.assert(fc.property(value, (generated) => expect(toSnakeCase(toCamelCase(generated, shape), shape)).toEqual(generated)));
  });
});

describe('looking for names with a capital', () => {
  const found = (json: string) => hasCapitalNames(Buffer.from(json));

  it.each(['{"botId":1}', '{"a":{"b":[{"x":1,"mediaType" \n: 2}]}}', '{"b\\u0049d":1}', '{"Ä":1,"B":2}'])('finds one in %s', (json) =>
    expect(found(json)).toBe(true),
  );
  it.each(['{"bot_id":"Ann: \'B\': x"}', '{"a":["ABC","D"]}', '[]', '""', '', ':', '":', '"A'])('finds none in %s', (json) =>
    expect(found(json)).toBe(false),
  );
  it('finds every such name that JSON can have', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'B', '"', '\\', ':', ' ', 'é', '\n') });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), fc.constantFrom(0, 2), (members, space) => {
        const has = members.some(([its]) => /B/.test(its.replace(/.*"/s, '')));
        return (
          !has ||
          found(
            JSON.stringify(
              members.map(([its, value]) => ({ [its]: value })),
              null,
              space,
            ),
          )
        );
      }),
    );
  });
  it('takes linear time for any text', () => {
    const nasty = Buffer.from(`["${'A'.repeat(4_000_000)}","${'" '.repeat(2)}${'":'.repeat(1_000_000)}`);
    expect(mustEnd(() => hasCapitalNames(nasty))).toEqual(expect.any(Boolean));
  });
});

describe('the names in the bytes of a body', () => {
  const changed = async (json: string) => (await namesInSnakeCase(Buffer.from(json), shape)).toString();

  it('are changed as in its parsed value', async () => {
    expect(JSON.parse(await changed(JSON.stringify(camel)))).toEqual(snake);
    expect(await changed(JSON.stringify(snake))).toBe(JSON.stringify(snake));
  });
  it('are the only bytes that change', async () =>
    expect(await changed('{ "botId" : 1.0, "\\u0062otName":"\\u00e9", "freeForm": {"anyName": 1e2} }')).toBe(
      '{ "bot_id" : 1.0, "\\u0062otName":"\\u00e9", "free_form": {"anyName": 1e2} }',
    ));
  it('are the same as in the parsed value, for any value', () =>
    fc.assert(
      fc.asyncProperty(
        fc.object({ key: fc.constantFrom(...Object.keys({ ...snake, ...camel }), 'content', 'media_type', 'mediaType') }),
        async (value) => {
          const json = JSON.stringify(value);
          let wanted: unknown;
          try {
            wanted = toSnakeCase(JSON.parse(json), shape);
          } catch (refusal) {
            await expect(changed(json)).rejects.toEqual(expect.objectContaining({ code: (refusal as { code: string }).code }));
            return;
          }
          expect(JSON.parse(await changed(json))).toEqual(wanted);
        },
      ),
    ));
  it.each(['{"botId":1,"bot_id":2}', '{"message":{"parent_message_id":1,"parentMessageId":2}}'])(
    'in both cases are refused: %s',
    async (json) => expect(changed(json)).rejects.toEqual(expect.objectContaining({ kind: 'invalid', code: 'malformed_body' })),
  );
  it.each(['{"botId":', '{"botId":1}}', '{"botId":1e999}', `${'['.repeat(70)}{"botId":1}${']'.repeat(70)}`])(
    'stay unchanged if the service refuses the body: %s',
    async (json) => expect(await changed(json)).toBe(json),
  );
});
