import { z } from 'zod';
import { component, type JsonSchema } from './json-schema.ts';

/**
 * Names schemas for the documents: `nameSchemas({ Bot, User: Person })`. Documents contain each of them once, as a component, and clients get a
 * type for each. Call this where the schemas are declared, so that it runs before their first use in `@Answers`.
 */
export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [title, schema] of Object.entries(schemas)) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), title });
}

/** The schema of a row in an answer, in the form of the documents. A part with a title becomes a component of that name. */
export function schemaOf(row: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(row, {
    override({ zodSchema, jsonSchema }) {
      const { type } = (zodSchema as unknown as z.ZodType).def;
      // Answers may get new fields, so clients must not reject them.
      if (type === 'object' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.type === 'integer') {
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      }
      if (type === 'enum' || type === 'literal') delete jsonSchema.type;
      // Rows are read-only in the code. In OpenAPI, `readOnly` means that requests must not have the field.
      if (type === 'readonly') delete jsonSchema.readOnly;
      if (type === 'record') delete jsonSchema.propertyNames;
      if (type === 'nullable') unite(jsonSchema as Record<string, unknown>);
    },
  });
  return withComponents(schema) as JsonSchema;
}

function withComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponents);
  if (typeof value !== 'object' || value === null) return value;
  const { title, ...rest } = value as JsonSchema;
  const isNamed = typeof title === 'string';
  const parts = Object.fromEntries(Object.entries(isNamed ? rest : value).map(([keyword, part]) => [keyword, withComponents(part)]));
  return isNamed ? component(title, parts) : parts;
}

/** `anyOf` a type and null becomes a list of two types. */
function unite(schema: Record<string, unknown>): void {
  const [value, none] = (schema['anyOf'] ?? []) as { type?: string; title?: string }[];
  if (typeof value?.type !== 'string' || value.title !== undefined || none?.type !== 'null') return;
  delete schema['anyOf'];
  Object.assign(schema, value, { type: [value.type, 'null'] });
}
