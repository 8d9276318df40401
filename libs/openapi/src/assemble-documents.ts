import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.ts';
import type { DocumentInfo, OpenApiDocument, Operation } from './service-document.ts';

/**
 * Merges the documents of several services into one. `onConflict` is called if two of them have the same route, the same operation ID, or the same
 * name for different schemas; it throws by default. If it returns, the first route and the last schema are used, as for services of two releases.
 */
export function assembleDocuments(
  info: DocumentInfo,
  documents: readonly OpenApiDocument[],
  onConflict: (message: string) => void = refuseConflict,
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  const schemas: Record<string, JsonSchema> = {};
  const ids = new Set<string>();
  for (const document of documents) {
    const { title } = document.info;
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const own = (paths[path] ??= {});
        if (own[method] !== undefined) {
          onConflict(`${title} has ${method.toUpperCase()} ${path}, which another service has too`);
          continue;
        }
        if (ids.has(operation.operationId)) onConflict(`${title} calls an operation ${operation.operationId}, as another service does`);
        ids.add(operation.operationId);
        own[method] = operation;
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const existing = schemas[name];
      if (existing !== undefined && !isDeepStrictEqual(existing, schema))
        onConflict(`${title} means something else by the schema ${name} than another service`);
      schemas[name] = schema;
    }
  }
  return {
    openapi: '3.1.0',
    info,
    tags: tagsOf(paths),
    paths: sorted(paths),
    components: {
      schemas: sorted(schemas),
      securitySchemes: Object.assign({}, ...documents.map((document) => document.components.securitySchemes)),
    },
  };
}

function refuseConflict(message: string): never {
  throw new Error(message);
}

const tagsOf = (paths: OpenApiDocument['paths']): readonly { readonly name: string }[] => {
  const names = Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags = [] }) => tags as string[]));
  return [...new Set(names)].sort().map((name) => ({ name }));
};

const sorted = <Value>(map: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
