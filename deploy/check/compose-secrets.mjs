// The secrets of docker-compose.yml: deploy/compose/secrets.mjs creates them and passes them to the services that read them.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVICES } from './config-keys.mjs';
import { run } from './run.mjs';
import { secretsReadBy } from './secrets.mjs';
import { replicaSetStarted } from './replica-set.mjs';
import { check, skip } from './suite.mjs';

// Kafka of Compose has no password, and the address of the first Admin is not a secret.
const NO_SECRET_HERE = ['PARLANCE_KAFKA_SECURITY', 'PARLANCE_ADMIN_EMAIL'];

export async function checkComposeSecrets(root, { services, volumes }) {
  const place = mkdtempSync(join(tmpdir(), 'parlance-secrets-'));
  const [folder, given] = [join(place, 'secrets'), join(place, 'given')];
  mkdirSync(given);
  const make = (env = {}) => {
    const { SECRETS_FOLDER, GIVEN_FOLDER, ...settings } = services.secrets.environment;
    assert.ok(SECRETS_FOLDER && GIVEN_FOLDER);
    const set = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? undefined]));
    const script = join(root, 'deploy/compose/secrets.mjs');
    return run(process.execPath, [script], { env: { ...set, SECRETS_FOLDER: folder, GIVEN_FOLDER: given, ...env } });
  };
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  /** The mounted secrets of a service: variable without _FILE → path in the container. */
  const filesOf = (name) =>
    Object.fromEntries(
      Object.entries(services[name].environment ?? {})
        .filter(([, value]) => value?.startsWith('/run/secrets/'))
        .map(([variable, path]) => [variable.replace(/_FILE$/, ''), path]),
    );

  try {
    await check('the secrets are created at the first start, each readable only by its owner', async () => {
      await make();
      assert.match(read('identity/master-key'), /^[A-Za-z0-9+/]{43}=$/);
      for (const name of [...SERVICES, 's3-bucket', 'made'])
        for (const file of readdirSync(join(folder, name)))
          assert.equal(statSync(join(folder, name, file)).mode & 0o777, 0o400, `${name}/${file}`);
      assert.match(read('s3/secret-access-key'), /^[0-9a-f]{48}$/);
      assert.equal(JSON.parse(read('s3-bucket/object-store.json')).secretAccessKey, read('s3/secret-access-key'));
    });
    await check('each service sees the secrets that its code reads and no others, as files', () => {
      for (const name of SERVICES) {
        const secrets = secretsReadBy(name).filter((variable) => !NO_SECRET_HERE.includes(variable));
        assert.deepEqual(Object.keys(filesOf(name)).toSorted(), [...secrets, 'PARLANCE_MASTER_KEY'].toSorted(), name);
        const [mount] = services[name].volumes;
        assert.deepEqual(mount.volume, { subpath: name });
        assert.ok(Object.values(filesOf(name)).every((path) => dirname(path) === mount.target));
        assert.deepEqual(
          readdirSync(join(folder, name)).toSorted(),
          Object.values(filesOf(name))
            .map((path) => basename(path))
            .toSorted(),
        );
      }
      for (const name of ['s3', 's3-bucket', 'mongo', 'mongo-replica-set'])
        assert.ok(
          services[name].volumes.some(({ volume }) => volume?.subpath === name),
          name,
        );
      assert.ok('secrets' in volumes);
    });
    await check('a later start keeps the secrets, and takes new addresses', async () => {
      const before = [read('edge/master-key'), read('s3/secret-access-key')];
      await make({ S3_PUBLIC_ENDPOINT: 'https://files.example.com' });
      assert.deepEqual([read('edge/master-key'), read('s3/secret-access-key')], before);
      assert.equal(JSON.parse(read('bots/object-store.json')).publicEndpoint, 'https://files.example.com');
    });
    await check('MongoDB has a key and a user of its own, unless access control is off', async () => {
      const [uri, password, key] = ['analytics/mongo-uri', 'mongo-replica-set/password', 'mongo/key-file'].map(read);
      assert.match(password, /^[0-9a-f]{48}$/);
      assert.match(key, /^[A-Za-z0-9+/]{64}$/);
      assert.equal(uri, `mongodb://parlance:${password}@mongo:27017/?replicaSet=parlance&authSource=admin`);
      await make({ MONGO_ACCESS_CONTROL: 'off' });
      assert.equal(read('analytics/mongo-uri'), 'mongodb://mongo:27017/?replicaSet=parlance');
      await make();
      assert.deepEqual(['analytics/mongo-uri', 'mongo-replica-set/password', 'mongo/key-file'].map(read), [uri, password, key]);
      for (const name of SERVICES) assert.equal(services[name].labels['parlance.mongo-access-control'], 'on', name);
      for (const name of ['secrets', 'mongo', 'mongo-replica-set']) assert.equal(services[name].environment.MONGO_ACCESS_CONTROL, 'on');
      assert.equal(services['mongo-replica-set'].network_mode, 'service:mongo');
    });
    await check('the replica set and its user are made once, also in data without users', () => {
      const password = read('mongo-replica-set/password');
      const started = (database, access = 'on') => replicaSetStarted(root, { database, access, password });
      const fresh = { isInitiated: false, users: [] };
      assert.deepEqual(started(fresh), ['rs.initiate', 'createUser parlance']);
      assert.deepEqual(started(fresh), ['auth parlance']);
      const former = { isInitiated: true, users: [] };
      assert.deepEqual(started(former, 'off'), []);
      assert.deepEqual(started(former), ['createUser parlance']);
      assert.deepEqual([started(former, 'off'), started(former)], [[], ['auth parlance']]);
    });
    await check('a new value of the address restarts the services that read it', () => {
      for (const name of SERVICES)
        assert.equal(services[name].labels?.['parlance.object-store'] !== undefined, 'PARLANCE_OBJECT_STORE' in filesOf(name), name);
    });
    if (existsSync(join(root, 'libs/config/dist/index.js')))
      await check('the services accept their files, without a secret of the operator and with each', async () => {
        const { loadConfig } = await import(pathToFileURL(join(root, 'libs/config/dist/index.js')).href);
        const configOf = (name) => {
          const inside = Object.entries(services[name].environment).filter(([, value]) => value !== null);
          const env = inside.map(([key, value]) => [key, value.replace('/run/secrets/parlance', join(folder, name))]);
          return loadConfig({ argv: [], env: Object.fromEntries(env), cwd: place });
        };
        for (const name of SERVICES) configOf(name);
        assert.equal(configOf('bots').objectStore.secretAccessKey, read('s3/secret-access-key'));
        writeFileSync(join(given, 'models.json'), '{"extends":"builtin"}\n');
        writeFileSync(join(given, 'admin-password'), 'a long first password\n');
        await make();
        assert.equal(configOf('inference').models.extends, 'builtin');
        assert.equal(configOf('identity').adminPassword, 'a long first password');
      });
    else skip('the files of the secrets', 'the workspace is not built');
    await check("an earlier installation's own secrets are adopted", async () => {
      rmSync(folder, { recursive: true });
      const key = Buffer.alloc(32, 7).toString('base64');
      writeFileSync(join(given, 'master-key'), `${key}\n`);
      await make({ S3_SECRET_ACCESS_KEY: 'from-env' });
      assert.deepEqual([read('identity/master-key'), read('s3/secret-access-key')], [key, 'from-env']);
    });
  } finally {
    rmSync(place, { recursive: true });
  }
}
