/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The names that a schema declares at one position of a document, in all its alternatives. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Shape>;
  readonly items: Shape | null;
  /** The shape of the values of a map with free names. */
  readonly values: Shape | null;
  /** The names that differ between the cases: `snake` maps `firstName` to `first_name`, and `camel` maps it back. */
  readonly snake: ReadonlyMap<string, string>;
  readonly camel: ReadonlyMap<string, string>;
  /** Whether the value is marked with `x-secret`: it is shown once, to the caller that created it. */
  readonly secret: boolean;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** Used where nothing is declared. */
export const LEAF: Shape = { properties: NONE, items: null, values: null, snake: NONE, camel: NONE, secret: false };

/**
 * The shapes of one document's schemas. Each set of schemas that may apply at one position is one shape, so recursive schemas have finitely
 * many shapes.
 */
export class SchemaShapes {
  private readonly ids = new Map<Schema, number>();
  private readonly made = new Map<string, Shape>();

  constructor(private readonly components: Readonly<Record<string, Schema>>) {}

  of(...schemas: readonly unknown[]): Shape {
    const all = this.flattened(schemas, new Set());
    const key = [...all]
      .map((schema) => this.idOf(schema))
      .sort((a, b) => a - b)
      .join();
    const before = this.made.get(key);
    if (before) return before;
    if (![...all].some(saysSomething)) return LEAF;
    const properties = new Map<string, Shape>();
    const shape: { -readonly [Key in keyof Shape]: Shape[Key] } = {
      ...LEAF,
      properties,
      secret: [...all].some((schema) => schema['x-secret'] === true),
    };
    // The shape is stored before its parts are built, because they may refer to it.
    this.made.set(key, shape);
    for (const [name, schemasOfName] of grouped(all)) properties.set(name, this.of(...schemasOfName));
    shape.items = this.under(all, 'items', 'prefixItems');
    shape.values = this.under(all, 'additionalProperties', 'patternProperties');
    shape.camel = camelNames(properties);
    shape.snake = new Map([...shape.camel].map(([snake, camel]) => [camel, snake]));
    return shape;
  }

  private under(all: ReadonlySet<Schema>, one: string, many: string): Shape | null {
    const inner = [...all].flatMap((schema) => [schema[one], ...Object.values((schema[many] ?? {}) as object)]).filter(isSchema);
    return inner.length === 0 ? null : this.of(...inner);
  }

  /** The schemas themselves, without references and alternatives between them. */
  private flattened(schemas: readonly unknown[], into: Set<Schema>): ReadonlySet<Schema> {
    for (const schema of schemas) {
      if (!isSchema(schema) || into.has(schema)) continue;
      into.add(schema);
      const { $ref, allOf, anyOf, oneOf } = schema;
      this.flattened([this.named($ref), ...[allOf, anyOf, oneOf].flat()], into);
    }
    return into;
  }

  private named(reference: unknown): Schema | undefined {
    return typeof reference === 'string' ? this.components[reference.replace('#/components/schemas/', '')] : undefined;
  }

  private idOf(schema: Schema): number {
    const id = this.ids.get(schema) ?? this.ids.size;
    this.ids.set(schema, id);
    return id;
  }
}

/** Whether the shape, or a shape below it, passes the test. */
export function someShape(shape: Shape | null, asked: (shape: Shape) => boolean, seen = new Set<Shape>()): boolean {
  if (!shape || seen.has(shape)) return false;
  seen.add(shape);
  return asked(shape) || [...shape.properties.values(), shape.items, shape.values].some((inner) => someShape(inner, asked, seen));
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

const saysSomething = (schema: Schema): boolean =>
  schema['x-secret'] === true ||
  ['properties', 'items', 'prefixItems', 'additionalProperties', 'patternProperties'].some((keyword) => isSchema(schema[keyword]));

function grouped(all: ReadonlySet<Schema>): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const { properties } of all) {
    if (!isSchema(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) groups.set(name, [...(groups.get(name) ?? []), schema]);
  }
  return groups;
}

/** The camelCase forms of names. A name has none if that form is declared too, or would stand for two names. */
function camelNames(properties: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const camel = new Map<string, string>();
  const taken = new Set(properties.keys());
  for (const name of properties.keys()) {
    const camelName = name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (!taken.has(camelName)) camel.set(name, camelName);
    taken.add(camelName);
  }
  return camel;
}
