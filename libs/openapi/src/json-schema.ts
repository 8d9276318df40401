import { isDeepStrictEqual } from 'node:util';

/** JSON Schema 2020-12, which OpenAPI 3.1 uses. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const names = new WeakMap<JsonSchema, string>();

/** A named schema. Documents contain it once, as a component, and refer to it. */
export function component(name: string, schema: JsonSchema): JsonSchema {
  const its = { ...schema };
  names.set(its, name);
  return its;
}

/** The named schemas of a document. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly begun = new Set<unknown>();

  /** True the first time that it is called with a source. A caller that makes the schema of a recursive type uses this to stop. */
  begins(source: unknown): boolean {
    return !this.begun.has(source) && this.begun.add(source).size > 0;
  }

  /** Throws Error if another schema already has the name. */
  add(name: string, schema: JsonSchema): void {
    const existing = this.schemas[name];
    if (existing !== undefined && !isDeepStrictEqual(existing, schema)) throw new Error(`two different schemas are called ${name}`);
    this.schemas[name] = schema;
  }

  /** A reference to the schema, under this name or, if another schema has it, under the name with a number. */
  named(name: string, schema: JsonSchema): JsonSchema {
    let own = name;
    for (let n = 2; this.schemas[own] !== undefined && !isDeepStrictEqual(this.schemas[own], schema); n++) own = `${name}${n}`;
    this.add(own, schema);
    return refTo(own);
  }

  /** Returns the schema with references in place of named schemas, and adds these to the components. */
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
