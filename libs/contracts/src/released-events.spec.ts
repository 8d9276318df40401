import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { publicEvents } from './index.ts';

type Schema = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, Schema>>; readonly required?: unknown };

/** The schema of each type as published by release 0.4, without descriptions. */
const released = JSON.parse(readFileSync(new URL('../test/golden/0.4.0.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Schema>
>;

/** The paths at which a schema has changed in another way than by new optional fields. */
function changed(before: Schema | undefined, now: Schema | undefined, path: string): readonly string[] {
  if (!before || !now) return before ? [path] : [];
  const { properties: fieldsBefore, ...restBefore } = before;
  const { properties: fields, ...rest } = now;
  const own = isDeepStrictEqual(restBefore, rest) ? [] : [path];
  return [...own, ...Object.entries(fieldsBefore ?? {}).flatMap(([name, field]) => changed(field, fields?.[name], `${path}.${name}`))];
}

const withoutDescriptions = (schema: object) =>
  JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === 'description' && typeof value === 'string' ? undefined : value)),
  ) as Schema;

const nowOf = (type: string): Schema | undefined => {
  const event = publicEvents.find((each) => each.type === type);
  if (!event) return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(event.schema);
  return withoutDescriptions(schema);
};

describe('the types of public events that a release has published', () => {
  it.each(Object.entries(released))('%s has gained only optional fields', (type, before) => {
    expect(changed(before, nowOf(type), type)).toEqual([]);
  });
  it('are checked for removed fields, new required fields, and changed forms', () => {
    const text = { type: 'string' };
    const before = { type: 'object', properties: { a: text, b: { enum: ['x'] } }, required: ['a'] };
    const isFine = (now: Schema) => changed(before, now, 't');
    expect(isFine({ ...before, properties: { ...before.properties, c: text } })).toEqual([]);
    expect(isFine({ ...before, properties: { ...before.properties, c: text }, required: ['a', 'c'] })).toEqual(['t']);
    expect(isFine({ ...before, properties: { a: text } })).toEqual(['t.b']);
    expect(isFine({ ...before, properties: { a: text, b: { enum: ['x', 'y'] } } })).toEqual(['t.b']);
  });
});
