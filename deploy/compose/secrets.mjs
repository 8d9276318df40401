// Runs once at each start of the stack: creates missing secrets, and writes a folder for each service with the secrets that it reads.
// A file in deploy/secrets is used instead of a created secret. Optional secrets come only from there.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const {
  SECRETS_FOLDER: folder,
  GIVEN_FOLDER: given,
  MONGO_ACCESS_CONTROL,
  S3_ACCESS_KEY_ID,
  S3_PUBLIC_ENDPOINT,
  S3_SECRET_ACCESS_KEY,
} = process.env;
const everyone = ['identity', 'bots', 'publication', 'inference', 'analytics', 'edge'];

/** An optional secret, and the content that means "none". */
const OPTIONAL = [
  ['admin-password', ['identity'], ''],
  ['oidc-providers.json', ['identity'], '{}'],
  ['smtp-url', ['identity'], ''],
  ['models.json', ['bots', 'inference'], ''],
  ['knowledge-s3.json', ['bots'], ''],
  ['reranker.json', ['bots'], ''],
  ['retrievers.json', ['bots'], '{}'],
  ['internet-search.json', ['inference'], ''],
  ['mcp-servers.json', ['inference'], '{}'],
  ['guardrails.json', ['inference'], '[]'],
];

/** Created once: the first encrypts data, the others protect the stores. */
const masterKey = kept('master-key', () => randomBytes(32).toString('base64'));
const secretAccessKey = kept('s3-secret-access-key', () => S3_SECRET_ACCESS_KEY || randomBytes(24).toString('hex'));

const mongoPassword = kept('mongo-password', () => randomBytes(24).toString('hex'));
const mongoKeyFile = kept('mongo-key-file', () => randomBytes(48).toString('base64'));

const mongoUser = MONGO_ACCESS_CONTROL === 'off' ? '' : `parlance:${encodeURIComponent(mongoPassword)}@`;
for (const service of everyone) {
  write(service, 'master-key', masterKey);
  write(service, 'mongo-uri', `mongodb://${mongoUser}mongo:27017/?replicaSet=parlance${mongoUser && '&authSource=admin'}`);
}
// The stores run as other users.
write('s3', 'secret-access-key', secretAccessKey, 0o444);
write('mongo', 'key-file', mongoKeyFile, 0o444);
write('mongo-replica-set', 'password', mongoPassword, 0o444);
const objectStore = {
  type: 's3',
  endpoint: 'http://s3:7070',
  publicEndpoint: S3_PUBLIC_ENDPOINT,
  region: 'us-east-1',
  bucket: 'parlance',
  accessKeyId: S3_ACCESS_KEY_ID,
  secretAccessKey,
  forcePathStyle: true,
};
for (const service of ['bots', 'inference', 'analytics', 's3-bucket']) write(service, 'object-store.json', JSON.stringify(objectStore));
for (const [name, services, none] of OPTIONAL) for (const service of services) write(service, name, fromFile(name) ?? none);
console.log('the secrets are there');

function kept(name, make) {
  const path = join(folder, 'made', name);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const value = fromFile(name) ?? make();
  write('made', name, value);
  return value;
}

function fromFile(name) {
  const path = join(given, name);
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    console.error(`deploy/secrets/${name} can't be read (${error.code}). Give it to user 10001: sudo chown 10001 deploy/secrets/${name}`);
    process.exit(1);
  }
}

/** Writes a file atomically, so that a starting service never reads a half-written one. */
function write(service, name, content, mode = 0o400) {
  mkdirSync(join(folder, service), { recursive: true, mode: mode === 0o444 ? 0o755 : 0o700 });
  const path = join(folder, service, name);
  writeFileSync(`${path}.new`, content, { mode });
  renameSync(`${path}.new`, path);
}
