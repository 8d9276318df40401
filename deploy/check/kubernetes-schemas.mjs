// Turns the OpenAPI documents of the Kubernetes sources into the JSON schemas that kubeconform reads.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The API groups that the chart uses.
const GROUPS = ['api__v1', 'apis__apps__v1', 'apis__autoscaling__v2', 'apis__networking.k8s.io__v1', 'apis__policy__v1'];

/** Where kubeconform finds a schema, as its -schema-location; written on the first call. */
export async function kubernetesSchemas(fetchSources, cache) {
  if (!existsSync(cache)) {
    const sources = await fetchSources();
    const unfinished = `${cache}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    for (const group of GROUPS) writeGroup(join(sources, 'api/openapi-spec/v3', `${group}_openapi.json`), unfinished);
    rmSync(cache, { recursive: true, force: true });
    renameSync(unfinished, cache);
  }
  return `${cache}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
}

function writeGroup(file, folder) {
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components;
  for (const schema of Object.values(schemas)) strict(schema);
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    // A type of many groups (ListOptions, Status) is not a resource.
    if (kinds.length !== 1) continue;
    const [{ group, kind, version }] = kinds;
    const suffix = [group.split('.')[0], version].filter(Boolean).join('-');
    const document = { $ref: `#/components/schemas/${name}`, components: { schemas: reachable(name, schemas) } };
    writeFileSync(join(folder, `${kind.toLowerCase()}-${suffix}.json`), JSON.stringify(document));
  }
}

/** An object that lists its properties has no others: the API server, too, warns of unknown fields. */
function strict(schema) {
  if (typeof schema !== 'object' || schema === null) return;
  if (schema.properties && schema.additionalProperties === undefined) schema.additionalProperties = false;
  for (const inner of Object.values(schema)) strict(inner);
}

function reachable(name, schemas, found = {}) {
  if (found[name]) return found;
  found[name] = schemas[name];
  for (const [, inner] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) reachable(inner, schemas, found);
  return found;
}
