import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';

/** The schema of a row that an answer shows, in the form that the documents use. */
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
      // A row is read-only in the code. In OpenAPI the word means that requests must not have the field.
      if (type === 'readonly') delete jsonSchema.readOnly;
      if (type === 'record') delete jsonSchema.propertyNames;
      if (type === 'nullable') unite(jsonSchema as Record<string, unknown>);
    },
  });
  return schema;
}

/** `anyOf` a type and null becomes a list of two types. */
function unite(schema: Record<string, unknown>): void {
  const [value, none] = (schema['anyOf'] ?? []) as { type?: string }[];
  if (typeof value?.type !== 'string' || none?.type !== 'null') return;
  delete schema['anyOf'];
  Object.assign(schema, value, { type: [value.type, 'null'] });
}
