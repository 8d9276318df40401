// The secrets that each service reads, found in the sources of the services, so that a new reader is noticed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { variable } from './config-keys.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The code by which a service reads each key. Every service opens its database, Kafka and its master key in libs/foundation.
const READ_BY = {
  adminEmail: /\badminEmail\b/,
  adminPassword: /\badminPassword\b/,
  guardrails: /\bconfig\.guardrails\b/,
  internetSearch: /\binternetSearch\b/,
  kafkaSecurity: /@parlance\/foundation/,
  knowledgeS3: /\bknowledgeS3\b/,
  mcpServers: /\bmcpServers\b/,
  models: /\b(wholeCatalogue|openEmbedder)\(/,
  mongoUri: /@parlance\/foundation/,
  objectStore: /\bObjectStoreModule\b|@parlance\/object-store'/,
  oidcProviders: /\boidcProviders\b/,
  reranker: /\b(openReranker\(|config\.reranker)/,
  retrievers: /\b(openRetrievers\(|config\.retrievers)/,
  smtpUrl: /\bsmtpUrl\b/,
};

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));

/** The variables of the secrets that a service reads, sorted. */
export function secretsReadBy(service) {
  const texts = sources(join(root, 'apps', service, 'src'));
  return Object.entries(READ_BY)
    .filter(([, pattern]) => texts.some((text) => pattern.test(text)))
    .map(([key]) => variable(key))
    .toSorted();
}
