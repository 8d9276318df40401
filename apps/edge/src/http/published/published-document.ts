import { API_KEY, type OpenApiDocument } from '@parlance/openapi';
import type { Schema } from '../routing/schema-shapes.ts';
import { keptFor } from '../documents/kept-for.ts';
import { takesBearer } from './published-address.ts';

/** The security scheme of a key as a bearer token. */
export const API_KEY_AS_BEARER = 'apiKeyAsBearer';

export const API_KEY_SCHEMES = {
  [API_KEY]: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  [API_KEY_AS_BEARER]: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token, as OpenAI clients send it.' },
} as const;

const PREFIX = /^\/published\/\{(\w+)\}\/\{(\w+)\}/;
const REFERENCE = '#/components/schemas/';

/** The description of a published bot without its endpoints: the product's paths for it, and the schemas that they reference. */
export const publishedDocument = keptFor((product: OpenApiDocument) => {
  const paths = publishedPaths(product);
  return {
    openapi: product.openapi,
    info: {
      title: 'Published bot',
      version: product.info.version,
      description: 'A bot that is published as an API. Each request needs an API key.',
    },
    paths,
    components: { schemas: schemasNamedBy(paths, product.components.schemas), securitySchemes: API_KEY_SCHEMES },
  };
});

const textOf = keptFor((document: object) => JSON.stringify(document));

/** The complete description as text. */
export const publishedText = (product: OpenApiDocument, endpoints: readonly string[]): string =>
  `{"servers":${JSON.stringify(endpoints.map((url) => ({ url })))},${textOf(publishedDocument(product)).slice(1)}`;

function publishedPaths(product: OpenApiDocument): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const [path, operations] of Object.entries(product.paths)) {
    const [prefix = '', api, stage] = PREFIX.exec(path) ?? [];
    const below = path.slice(prefix.length);
    if (prefix === '' || below === '') continue;
    paths[below] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, withoutPrefix(operation, [api, stage])]),
    );
  }
  return paths;
}

/** How a key may be sent to a path below a published bot. */
export const securityOf = (below: string): readonly object[] =>
  takesBearer(below) ? [{ [API_KEY]: [] }, { [API_KEY_AS_BEARER]: [] }] : [{ [API_KEY]: [] }];

function withoutPrefix(operation: Schema, names: readonly (string | undefined)[]): Schema {
  const parameters = (operation['parameters'] ?? []) as readonly { readonly name: string; readonly in: string }[];
  const left = parameters.filter((parameter) => parameter.in !== 'path' || !names.includes(parameter.name));
  const { parameters: _, ...rest } = operation;
  return left.length === 0 ? rest : { ...rest, parameters: left };
}

/** The schemas that a value references, directly or through other schemas. */
function schemasNamedBy(value: unknown, all: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found = new Map<string, Schema>();
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const reference = (next as { $ref?: unknown }).$ref;
    const name = typeof reference === 'string' ? reference.replace(REFERENCE, '') : '';
    const schema = found.has(name) ? undefined : all[name];
    if (schema) {
      found.set(name, schema);
      waiting.push(schema);
    }
    for (const part of Object.values(next)) if (part !== undefined) waiting.push(part);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
