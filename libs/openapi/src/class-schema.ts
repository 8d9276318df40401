import { type BodyClass, changesFields, type Nested, type Property, type Rule, shapeOf } from '@parlance/http';
import { type Components, type JsonSchema, refTo } from './json-schema.ts';

/** The JSON Schema of each rule of class-validator, by the rule's name. */
const MEANING: Readonly<Record<string, (constraints: readonly unknown[]) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  isDefined: () => ({}),
  isNotEmpty: () => ({ minLength: 1 }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: ([multipleOf]) => ({ multipleOf }),
  isLength: ([minLength, maxLength]) => ({ minLength, ...(maxLength === undefined ? {} : { maxLength }) }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  matches: ([pattern]) => (pattern instanceof RegExp && pattern.flags === '' ? { pattern: pattern.source } : {}),
  equals: ([value]) => ({ const: value }),
  isIn: ([values]) => ({ enum: values }),
  isNotIn: ([values]) => ({ not: { enum: values } }),
  isEnum: ([, values]) => ({ enum: values }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: () => ({ uniqueItems: true }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isIso8601: () => ({ type: 'string' }),
  isRFC3339: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string' }),
};

/** A reference to the component of a body class. The component is derived from the decorators and added together with the classes that it nests. */
export function classSchema(type: BodyClass, components: Components): JsonSchema {
  if (components.begins(type)) {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    const initial = new type() as Record<string, unknown>;
    for (const property of shapeOf(type).values()) {
      const own = propertySchema(type.name, property, components);
      const schema = property.nullable || (property.optional && !changesFields(type)) ? orNull(own) : own;
      properties[property.name] = initial[property.name] === undefined ? schema : { ...schema, default: initial[property.name] };
      if (isRequired(property, initial)) required.push(property.name);
    }
    components.add(type.name, {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    });
  }
  return refTo(type.name);
}

export const isRequired = ({ name, conditions }: Property, initial: Readonly<Record<string, unknown>>): boolean =>
  conditions.length === 0 && initial[name] === undefined;

/**
 * The schema of one property. Throws Error for a rule without a JSON Schema: declare one with `context: { schema: … }` in the decorator's
 * options.
 */
export function propertySchema(owner: string, { name, rules, nested, designType }: Property, components: Components): JsonSchema {
  const [own, items] = [false, true].map((each) =>
    merged(
      rules.filter(({ metadata }) => (metadata.each === true) === each),
      `${owner}.${name}`,
    ),
  );
  const inner = nested === null ? {} : nestedSchema(nested, components);
  if (nested?.each === true || own?.['type'] === 'array' || Object.keys(items ?? {}).length > 0) {
    return { type: 'array', ...own, items: { ...textOf(items), ...items, ...inner } };
  }
  if (nested !== null) return { ...own, ...inner };
  return own !== undefined && ('type' in own || 'enum' in own || 'const' in own) ? own : { ...textOf(own), ...typeOf(designType), ...own };
}

/** The type of a schema with a rule that applies only to texts, such as a length. The declared type of `string | null` is only Object. */
const textOf = (schema: JsonSchema = {}): JsonSchema =>
  ['minLength', 'maxLength', 'pattern'].some((rule) => rule in schema) ? { type: 'string' } : {};

function merged(rules: readonly Rule[], place: string): JsonSchema {
  let schema: JsonSchema = {};
  // The decorators run from the last to the first.
  for (const { metadata } of [...rules].reverse()) {
    const { schema: declared } = (metadata.context ?? {}) as { schema?: JsonSchema };
    const meaning = declared ?? MEANING[metadata.name ?? '']?.(metadata.constraints ?? []);
    if (meaning === undefined) throw new Error(`${place}: what ${metadata.name} means in JSON Schema is not declared (context.schema)`);
    schema = { ...schema, ...meaning };
  }
  return schema;
}

function nestedSchema({ only, by }: Nested, components: Components): JsonSchema {
  if (only !== null) return classSchema(only, components);
  if (by === null) return {};
  const refs = [...by.classes].map(([kind, type]) => [kind, classSchema(type, components)['$ref'] as string] as const);
  return {
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: by.property, mapping: Object.fromEntries(refs) },
  };
}

function typeOf(designType: unknown): JsonSchema {
  if (designType === String) return { type: 'string' };
  if (designType === Number) return { type: 'number' };
  if (designType === Boolean) return { type: 'boolean' };
  return {};
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (Array.isArray(values))
    return { ...schema, ...(type === undefined ? {} : { type: [type, 'null'] }), enum: [...(values as unknown[]), null] };
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}
