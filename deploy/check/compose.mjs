// Checks docker-compose.yml as loaded by compose-go, the library of Docker Compose.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, VARIABLES } from './config-keys.mjs';
import { run } from './run.mjs';
import { checkComposeSecrets } from './compose-secrets.mjs';
import { check } from './suite.mjs';

export async function checkCompose(root, reader) {
  const file = join(root, 'docker-compose.yml');
  const load = async (env) => JSON.parse(await run(reader, ['compose', file], { env: { ...bare, ...env } }));
  let project;

  await check('docker-compose.yml follows the compose specification', async () => {
    project = await load({});
  });
  if (!project) return;
  const { services } = project;
  const each = (body) => Object.entries(services).forEach(([name, service]) => body(service, name));

  await check('all six services run from one image, with the flags of the image', () => {
    const { nodeFlags } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).config;
    for (const name of SERVICES) {
      assert.deepEqual(services[name].command, ['node', ...nodeFlags, `apps/${name}/dist/main.js`]);
      assert.equal(services[name].image, services.identity.image);
      assert.ok(existsSync(join(root, services[name].build.dockerfile)));
    }
    for (const name of ['identity', 'inference']) assert.equal(services[name].deploy.replicas, 2, name);
  });
  await check('one variable changes the version of everything that is built here', async () => {
    const image = 'registry.example.com/parlance:9.9.9';
    const changed = await load({ PARLANCE_IMAGE: image });
    for (const [name, service] of Object.entries(changed.services))
      assert.equal(service.image === image, service.build !== undefined, name);
  });
  await check('every service sets only known keys', () => {
    each(({ environment }, name) => {
      for (const key of Object.keys(environment ?? {}).filter((variable) => variable.startsWith('PARLANCE_'))) {
        assert.ok(VARIABLES.has(key) || VARIABLES.has(key.replace(/_FILE$/, '')), `${name} sets ${key}`);
      }
    });
  });
  await check('every service knows the addresses of all services', () => {
    for (const name of SERVICES)
      assert.deepEqual(Object.keys(JSON.parse(services[name].environment.PARLANCE_SERVICES)).toSorted(), SERVICES);
  });
  await check('every service accepts the single broker, which the image refuses otherwise', () => {
    for (const name of SERVICES) assert.equal(services[name].environment.PARLANCE_ALLOW_SINGLE_BROKER, 'true', name);
  });
  await check("only identity gets the first Admin's address, and only if it is set", async () => {
    const set = await load({ PARLANCE_ADMIN_EMAIL: 'admin@example.com' });
    assert.equal(set.services.identity.environment.PARLANCE_ADMIN_EMAIL, 'admin@example.com');
    assert.equal(services.identity.environment.PARLANCE_ADMIN_EMAIL, null);
    each(({ environment }, name) => assert.ok(name === 'identity' || !('PARLANCE_ADMIN_EMAIL' in (environment ?? {})), name));
  });
  await checkComposeSecrets(root, project);
  await check('no container keeps privileges', () => {
    each((service, name) => {
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.ok(!service.privileged && !service.cap_add, name);
    });
  });
  await check('our services write only to /tmp', () => {
    for (const name of SERVICES) {
      assert.equal(services[name].read_only, true, name);
      assert.ok(
        services[name].tmpfs.every((mount) => mount.startsWith('/tmp')),
        name,
      );
      for (const { source, read_only } of services[name].volumes) assert.ok(source === 'secrets' && read_only, name);
    }
  });
  await check('only the ports of the edge and the object store are published, on the loopback address', () => {
    each(({ ports = [] }, name) => {
      const target = { edge: 8080, s3: 7070 }[name];
      const expected = target === undefined ? [] : [{ host_ip: '127.0.0.1', target, published: String(target) }];
      assert.deepEqual(
        ports.map((port) => ({ host_ip: port.host_ip, target: port.target, published: port.published })),
        expected,
        name,
      );
    });
  });
  await check(
    'stores and broker reach nothing outside except through clients of the object store, and the edge is on every network that it needs',
    () => {
      assert.equal(project.networks.stores.internal, true);
      for (const name of ['kafka', 'mongo']) assert.deepEqual(Object.keys(services[name].networks), ['stores'], name);
      assert.equal(services['mongo-replica-set'].networks, undefined);
      assert.deepEqual(Object.keys(services.s3.networks).toSorted(), ['stores', 'uploads']);
      for (const name of SERVICES) assert.deepEqual(Object.keys(services[name].networks).toSorted(), ['services', 'stores'], name);
    },
  );
  await check('every long-running container has limits', () => {
    each(({ restart, deploy, tmpfs = [] }, name) => {
      if (restart === 'no') return;
      const { memory, pids } = deploy?.resources?.limits ?? {};
      assert.ok(pids > 0, name);
      // Files in /tmp count as memory of the container.
      const temporary = tmpfs
        .map((mount) => /size=(\d+)([mg])/.exec(mount))
        .map((found) => (found ? found[1] * (found[2] === 'g' ? 1024 : 1) : 0));
      const left = memory / 2 ** 20 - temporary.reduce((sum, size) => sum + size, 0);
      assert.ok(left >= 768, `${name} has ${left} MiB beside /tmp`);
    });
  });
  await check('the log of every container is rotated', () => {
    for (const [name, { logging }] of Object.entries(services))
      assert.ok(logging?.options?.['max-size'] && logging.options['max-file'], name);
  });
  await check('every image is pinned to a full version, and can be pinned by digest', async () => {
    each(({ image }, name) => assert.match(image, /^[a-z/]+:v?\d+\.\d+\.\d+$/, name));
    const digest = `@sha256:${'0'.repeat(64)}`;
    const byDigest = ['PARLANCE', 'KAFKA', 'MONGO', 'S3'].map((store) => [`${store}_IMAGE`, `example/${store.toLowerCase()}${digest}`]);
    const pinned = await load(Object.fromEntries(byDigest));
    for (const [name, { image }] of Object.entries(pinned.services)) assert.ok(image.endsWith(digest), name);
  });
  await check('every long-running container is restarted, has a health check, and has a named volume if it keeps data', () => {
    each((service, name) => {
      const oneShot = ['secrets', 'mongo-replica-set', 's3-bucket'].includes(name);
      assert.equal(service.restart, oneShot ? 'no' : 'unless-stopped', name);
      if (['kafka', 'mongo', 's3'].includes(name)) {
        assert.ok(service.healthcheck.test.length > 1, name);
        for (const volume of service.volumes) assert.ok(volume.type === 'volume' && volume.source in project.volumes, name);
      }
    });
  });
  await check('each container starts after the containers that it needs are healthy or done', () => {
    each((service, name) => {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const done = services[needed].restart === 'no';
        assert.equal(condition, done ? 'service_completed_successfully' : 'service_healthy', `${name} on ${needed}`);
      }
    });
    const before = (name) => Object.keys(services[name].depends_on ?? {}).flatMap((needed) => [needed, ...before(needed)]);
    assert.deepEqual(
      [...new Set(before('edge'))].toSorted(),
      Object.keys(services)
        .filter((name) => name !== 'edge')
        .toSorted(),
    );
  });
  await check('mounted files exist', () => {
    each(({ volumes = [] }) => {
      for (const volume of volumes) if (volume.type === 'bind') assert.ok(existsSync(join(root, volume.source)), volume.source);
    });
  });
  await check('.env.example names variables that the stack reads, and no secret', () => {
    const text = readFileSync(join(root, 'deploy/.env.example'), 'utf8');
    const compose = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)) {
      assert.ok(compose.includes(name), `${name} is not in docker-compose.yml`);
      assert.ok(!/SECRET|PASSWORD|MODELS|PROVIDERS/.test(name), `${name} is a secret`);
    }
  });
}

// Variables of the machine or of CI must not affect the result.
const bare = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(PARLANCE_|S3_|EDGE_|COMPOSE_)/.test(name))
    .map((name) => [name, undefined]),
);
