import { isDeepStrictEqual } from 'node:util';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const names = new WeakMap<JsonSchema, string>();

/** A schema that documents hold once, under a name, and refer to wherever it is used. */
export function component(name: string, schema: JsonSchema): JsonSchema {
  const its = { ...schema };
  names.set(its, name);
  return its;
}

/** The named schemas of a document. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly begun = new Set<unknown>();

  /** True the first time that it is called with something: what makes a schema may need it for its own parts. */
  begins(source: unknown): boolean {
    return !this.begun.has(source) && this.begun.add(source).size > 0;
  }

  /** Throws Error when another schema has the name already. */
  add(name: string, schema: JsonSchema): void {
    const before = this.schemas[name];
    if (before !== undefined && !isDeepStrictEqual(before, schema)) throw new Error(`two different schemas are called ${name}`);
    this.schemas[name] = schema;
  }

  /** A reference to the schema, under the name or, if another schema has that, under the name and a number. */
  named(name: string, schema: JsonSchema): JsonSchema {
    let own = name;
    for (let n = 2; this.schemas[own] !== undefined && !isDeepStrictEqual(this.schemas[own], schema); n++) own = `${name}${n}`;
    this.add(own, schema);
    return refTo(own);
  }

  /** The schema with references in place of named schemas, which are registered here. */
  hoist(schema: JsonSchema): JsonSchema {
    const hoisted = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, this.hoistAny(value)]));
    const name = names.get(schema);
    if (name === undefined) return hoisted;
    this.add(name, hoisted);
    return refTo(name);
  }

  private hoistAny(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.hoistAny(item));
    return typeof value === 'object' && value !== null ? this.hoist(value as JsonSchema) : value;
  }
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
